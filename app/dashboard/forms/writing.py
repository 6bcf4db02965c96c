"""The forms of a post's text: the editor with what search engines show, and a part to be written anew."""

from collections.abc import Mapping
from typing import Any, Final

from wtforms import HiddenField, SelectField, StringField, TextAreaField
from wtforms.validators import InputRequired

from app.content.model import BlogPost
from app.content.posts import service
from app.content.rendering.sections import sections_of
from app.dashboard.auth import signed_in
from app.dashboard.forms.base import LineField, PageForm
from app.dashboard.ui.query import row_id

FORM_ID: Final = "writing"
_BESIDE: Final = {"form": FORM_ID}


class EditForm(PageForm):
    """A post's text, and what search engines show of it; the last three fields stand beside the form."""

    version = HiddenField()
    title = LineField("Title", [InputRequired("A post needs a title.")], render_kw={"placeholder": "Title"})
    content = TextAreaField("Text", render_kw={"spellcheck": "true"})
    meta_title = StringField(
        "Title in search",
        description="30 to 60 characters are shown in full.",
        render_kw={"dir": "auto", **_BESIDE},
    )
    description = TextAreaField(
        "Description in search",
        description="70 to 156 characters.",
        render_kw={"rows": 4, "dir": "auto", **_BESIDE},
    )
    slug = StringField(
        "End of the address",
        [InputRequired("A post needs an address.")],
        description="Lower-case letters, digits and hyphens.",
        render_kw=_BESIDE,
    )

    def changes(self) -> dict[str, str]:
        return {
            "title": self.title.data or "",
            "slug": (self.slug.data or "").strip(),
            "meta_title": (self.meta_title.data or "").strip(),
            "description": (self.description.data or "").strip(),
            "content": (self.content.data or "").replace("\r\n", "\n"),
        }

    def put(self, values: Mapping[str, str]) -> None:
        for name, value in values.items():
            self[name].data = value

    def save(self, post: BlogPost, why: str = "edited") -> BlogPost:
        """Save what was typed if the post has this form's version still. Raises what ``edit_post`` does."""
        # A form without a version has the number that ``obj`` filled in.
        version = row_id(str(self.version.data)) or 0
        return service.edit_post(post, version, self.changes(), by=writer(), why=why)


class RewriteForm(PageForm):
    makes = "text"

    heading = SelectField("Part", validate_choice=False)
    sentence = TextAreaField(
        "Only one sentence",
        description="Copied from the text. Left empty, the whole part is written anew.",
        render_kw={"rows": 2},
    )
    instruction = TextAreaField(
        "What should be different?",
        [InputRequired("Say what should be different.")],
        description="Such as “Shorter, and with the price first.”",
        render_kw={"rows": 3},
    )

    def offer(self, post: BlogPost) -> None:
        headings = dict.fromkeys(each.heading for each in sections_of(post.content))
        self.heading.choices = [(each, each) for each in headings]

    def payload(self, post: BlogPost) -> dict[str, Any]:
        sentence = " ".join((self.sentence.data or "").split())
        part = {"sentence": sentence} if sentence else {"heading": self.heading.data or ""}
        return {"blog_post_id": post.id, "instruction": self.instruction.data or "", **part}


def writer() -> str:
    """Return the name under which the signed-in person's versions are kept."""
    who = signed_in()
    return who.name or who.email
