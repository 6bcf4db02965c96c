"""The schemas of blog posts in responses: sources, trace, quality, publications, cover and proposal."""

from typing import Final

from marshmallow import fields

from app.api.http.fields import Id, Out, Time, nullable
from app.content.assembly.pictures import MEDIA_TYPES
from app.infra.inputs import Choice

STATUSES: Final = ("draft", "publishing", "published")
_TRACE: Final = {
    "description": "The origin of each generated sentence, in order; without edits. Null if the content is."
}


class SourceOut(Out):
    page_id = Id()
    url = fields.String()
    title = fields.String(allow_none=True)
    used_for = fields.List(fields.String())


class TracedPageOut(Out):
    page_id = Id()
    url = fields.String()


class TraceOut(Out):
    sentence = fields.String()
    origin = Choice(
        ("source", "model", "template", "input"),
        metadata={
            "description": "Quoted from a page, written by a model, a fixed line, or given by the caller or "
            "the project."
        },
    )
    quote = fields.String(
        allow_none=True,
        metadata={"description": "The words of the first page that support the sentence, or null."},
    )
    sources = fields.List(
        fields.Nested(TracedPageOut), metadata={"description": "Empty if no page supports it."}
    )


class CheckOut(Out):
    code = fields.String(metadata={"example": "CONTENT_TOO_SHORT"})
    severity = Choice(("block", "warn", "info"))
    passed = fields.Boolean()
    message = fields.String()
    hint = fields.String(allow_none=True)
    where = fields.List(
        fields.String(),
        metadata={"description": "The first 10 findings, such as numbers that no source has."},
    )


class QualityOut(Out):
    """The result of the quality gate. ``block`` prevents publishing."""

    score = fields.Integer(metadata={"minimum": 0, "maximum": 100})
    decision = Choice(("allow", "warn", "block"))
    checks = fields.List(fields.Nested(CheckOut))
    metrics = fields.Dict(
        keys=fields.String(), values=fields.Float(), metadata={"description": "Measurements by name."}
    )


class GeneratorOut(Out):
    provider = fields.String()
    model = fields.String(allow_none=True)
    prompt_tokens = fields.Integer()
    completion_tokens = fields.Integer()
    cost_usd = fields.Float(allow_none=True)


class FaqOut(Out):
    question = fields.String()
    answer = fields.String()


class OverrideOut(Out):
    """Who published a post despite the quality gate, when, why, and the failed checks."""

    by = fields.String(metadata={"example": 'API key "CI"'})
    at = Time()
    reason = fields.String()
    checks = fields.List(fields.Nested(CheckOut))


class PublicationOut(Out):
    target = fields.String(metadata={"description": "The target's name."})
    external_id = fields.String(allow_none=True)
    url = fields.String(allow_none=True)
    state = Choice(("intent", "sending", "live", "scheduled", "unknown", "failed", "unpublished", "draft"))
    at = Time()
    public_url_status = fields.Integer(
        allow_none=True,
        metadata={"description": "The HTTP status that a reader got after it went live; null if not opened."},
    )
    remark = fields.String(
        allow_none=True, metadata={"description": "What to look at if that was not the post; else null."}
    )
    was_there_before = fields.Boolean(
        metadata={"description": "Whether this post replaced one that the target had; it is never deleted."}
    )
    override = nullable(OverrideOut)


class CoverImageOut(Out):
    url = fields.String(metadata={"description": "The address of the picture; it requires the API key."})
    alt = fields.String()
    width = fields.Integer(metadata={"example": 1200})
    height = fields.Integer(metadata={"example": 630})
    media_type = Choice(MEDIA_TYPES)
    source = Choice(("generated", "uploaded"))


class ProposalOut(Out):
    """A new text for a post, written from its changed sources, to be used or dismissed."""

    id = Id(metadata={"example": 1})
    job_id = Id(metadata={"description": "The REFRESH_BLOG_POST or REWRITE_BLOG_POST job that created it."})
    post_version = fields.Integer(metadata={"description": "The version of the post that it is based on."})
    title = fields.String()
    meta_title = fields.String()
    description = fields.String()
    content = fields.String(allow_none=True, metadata={"description": "Markdown."})
    content_html = fields.String(allow_none=True, metadata={"description": "Sanitised HTML."})
    word_count = fields.Integer()
    draft_kind = Choice(
        ("full", "extractive", "outline"),
        metadata={"description": "A written post, excerpts with sources, or an outline only."},
    )
    engine = Choice(("llm", "extractive"), metadata={"description": "What wrote it."})
    sources = fields.List(fields.Nested(SourceOut))
    trace = fields.List(fields.Nested(TraceOut), allow_none=True, metadata=_TRACE)
    quality = nullable(QualityOut)
    warnings = fields.List(fields.Raw())
    created_at = Time()


class PostOut(Out):
    """A blog post. It is a draft until it is published."""

    id = Id(metadata={"example": 1})
    project_id = Id(metadata={"example": 1})
    job_id = Id(allow_none=True)
    status = Choice(STATUSES)
    version = fields.Integer(metadata={"description": "Grows with each change of the text.", "example": 1})
    published_at = Time(allow_none=True)
    published_url = fields.String(allow_none=True)
    edited_at = Time(
        allow_none=True, metadata={"description": "When a person last edited this text, or null."}
    )
    refreshed_at = Time(
        allow_none=True, metadata={"description": "When a proposal last replaced the text, or null."}
    )
    title = fields.String()
    meta_title = fields.String()
    slug = fields.String(metadata={"description": "Unique in the project."})
    description = fields.String(metadata={"description": "The meta description."})
    tags = fields.List(fields.String())
    primary_keyword = fields.String(allow_none=True)
    keywords = fields.List(fields.String())
    language = fields.String()
    content = fields.String(allow_none=True, metadata={"description": "Markdown."})
    content_html = fields.String(allow_none=True, metadata={"description": "Sanitised HTML."})
    word_count = fields.Integer()
    reading_minutes = fields.Integer()
    draft_kind = Choice(("full", "extractive", "outline"))
    engine = Choice(("llm", "extractive"))
    sources = fields.List(fields.Nested(SourceOut))
    trace = fields.List(fields.Nested(TraceOut), allow_none=True, metadata=_TRACE)
    quality = nullable(
        QualityOut,
        metadata={"description": "For one post as of now; in lists as of the last change of the text."},
    )
    generator = nullable(GeneratorOut)
    faq = fields.List(fields.Nested(FaqOut))
    json_ld = fields.List(
        fields.Dict(), metadata={"description": "schema.org data. In a script element write < as \\u003c."}
    )
    cover_image = fields.Nested(CoverImageOut)
    outline = fields.List(fields.Dict(), metadata={"description": "The planned sections."})
    editor_notes = fields.List(
        fields.String(), metadata={"description": "What an editor still has to do; not part of the text."}
    )
    warnings = fields.List(
        fields.String(),
        metadata={
            "description": "Warnings for the caller. Those about options that were not applied begin with "
            "OPTION_NOT_APPLIED."
        },
    )
    publications = fields.List(fields.Nested(PublicationOut))
    proposal = nullable(ProposalOut)
    created_at = Time()
    updated_at = Time()
