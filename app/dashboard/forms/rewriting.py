"""The form in which a part of a post is written anew."""

from typing import Any

from wtforms import SelectField, TextAreaField
from wtforms.validators import InputRequired

from app.content.model import BlogPost
from app.content.rendering.sections import sections_of
from app.dashboard.forms.base import PageForm


class RewriteForm(PageForm):
    """Which part of a post is written anew, and how."""

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
        """Offer the headings of a post."""
        headings = dict.fromkeys(each.heading for each in sections_of(post.content))
        self.heading.choices = [(each, each) for each in headings]

    def payload(self, post: BlogPost) -> dict[str, Any]:
        """Return the input of the job."""
        sentence = " ".join((self.sentence.data or "").split())
        part = {"sentence": sentence} if sentence else {"heading": self.heading.data or ""}
        return {"blog_post_id": post.id, "instruction": self.instruction.data or "", **part}
