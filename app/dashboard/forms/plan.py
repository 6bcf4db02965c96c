"""The form of a plan, and how it becomes the outline of a generation."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from wtforms import Field, FieldList, Form, FormField, HiddenField, SelectField, StringField, TextAreaField

from app.content.plan import MOST_QUESTIONS, MOST_SECTIONS
from app.content.request import is_topic
from app.dashboard.forms.base import LineField, LinesField, PageForm, line_of, whole_number
from app.failures import invalid_field

FORMATS: Final = [
    ("prose", "Text"),
    ("list", "A list"),
    ("steps", "Numbered steps"),
    ("table", "A table"),
    ("listing", "Lines to copy, such as code"),
]
_ACT: Final = re.compile(r"(add|add-question|(?:up|down|remove|remove-question)-([0-9]{1,2}))", re.ASCII)
_IN_A_LIST: Final = re.compile(r"(?:/payload)?/outline/(sections|questions)/([0-9]+)(/.*)?", re.ASCII)


class SectionForm(Form):
    """A section of the plan. ``of`` is its number in the original plan, empty for an added one."""

    of = HiddenField()
    heading = LineField("Heading")
    purpose = StringField("What it is for")
    key_points = LinesField("Points", description="One per line.", render_kw={"rows": 3})
    words = StringField("About how many words", render_kw={"inputmode": "numeric"})
    format = SelectField("Written as", choices=FORMATS, default="prose", validate_choice=False)


class QuestionForm(Form):
    """A question of the plan; ``of`` as in SectionForm."""

    of = HiddenField()
    question = LineField("Question")


class PlanForm(PageForm):
    makes = "post"
    places: ClassVar[Mapping[str, str]] = {
        **{f"outline/{name}": name for name in ("title", "meta_title", "description", "keyphrase")},
        **{f"outline/closing/{name}": f"closing_{name}" for name in ("heading", "purpose")},
    }

    title = LineField("Title")
    meta_title = StringField("Title in search", description="30 to 60 characters are shown in full.")
    description = TextAreaField(
        "Description in search",
        description="70 to 156 characters. Made from the text if left empty.",
        render_kw={"rows": 2},
    )
    keyphrase = StringField("Search phrase", description="What people type to find the post.")
    slug = StringField(
        "End of the address", description="Lower-case letters, digits, hyphens. Made from the title if empty."
    )
    minimum_kind = HiddenField()
    sections = FieldList(FormField(SectionForm), "Sections", max_entries=MOST_SECTIONS)
    questions = FieldList(FormField(QuestionForm), "Questions", max_entries=MOST_QUESTIONS)
    closing_heading = StringField("Heading of the ending")
    closing_purpose = StringField("How it ends")

    def parts(self, member: str) -> FieldList[Any]:
        return self.sections if member == "sections" else self.questions

    def _field_at(self, path: str) -> tuple[Field | None, str]:
        inside = _IN_A_LIST.fullmatch(path)
        if inside is None:
            return super()._field_at(path)
        member, number, rest = inside[1], int(inside[2]), inside[3] or ""
        entries = self.parts(member)
        name = next((part for part in rest.split("/") if part and not part.isdigit()), "")
        if number >= len(entries) or name not in entries[number].form:
            return entries, line_of(path)
        # Only this makes the form as a whole a wrong one.
        entries.errors = [*entries.errors, rest]
        return entries[number].form[name], line_of(rest)


@dataclass(frozen=True)
class MadePlan:
    """A plan with the job that made it: ``payload`` is the job's input, ``result`` its result."""

    payload: Mapping[str, Any]
    result: Mapping[str, Any]

    @property
    def plan(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.result["plan"]
        return found

    @property
    def is_written_freely(self) -> bool:
        """Whether a language model made it. Excerpts have no purpose, length, format or ending to choose."""
        return bool(self.result["engine"] == "llm")

    @property
    def has_keywords(self) -> bool:
        """Whether the input has keywords. Then the first one is the keyphrase."""
        return bool(self.payload.get("keywords") or self.payload.get("keyword_ids"))

    def passages(self, member: str, of: str | None) -> list[Mapping[str, Any]]:
        shown = {each["id"]: each for each in self.result["evidence"]}
        return [shown[each] for each in self._part(member, of).get("evidence_ids", ()) if each in shown]

    def shown(self, written_only: Mapping[str, str]) -> dict[str, Any]:
        """Return the initial values. ``written_only`` has the members for the written post alone."""
        plan = self.plan
        return {
            **{name: plan[name] for name in ("title", "meta_title", "description")},
            "keyphrase": plan.get("keyphrase", ""),
            **{name: written_only.get(name, "") for name in ("slug", "minimum_kind")},
            "sections": [
                {
                    **{name: each[name] for name in ("heading", "purpose", "format")},
                    "key_points": each["key_points"],
                    "words": str(each["words"] or ""),
                    "of": str(number),
                }
                for number, each in enumerate(plan["sections"])
            ],
            "questions": [
                {"question": each["question"], "of": str(number)}
                for number, each in enumerate(plan["questions"])
            ],
            "closing_heading": plan["closing"]["heading"],
            "closing_purpose": plan["closing"]["purpose"],
        }

    def generation_payload(self, form: PlanForm) -> dict[str, Any]:
        """Return the input of the generation that writes the plan. Raises INVALID_REQUEST."""
        payload = {name: value for name, value in self.payload.items() if name not in ("title", "outline")}
        topic = self.result["topic"]
        if not payload.get("topic") and is_topic(topic):
            payload["topic"] = topic
        typed = form.typed()
        payload |= {name: typed[name] for name in ("slug", "minimum_kind") if typed[name]}
        return {**payload, "outline": self._outline(form, typed)}

    def _outline(self, form: PlanForm, typed: Mapping[str, Any]) -> dict[str, Any]:
        sections = [self._section(number, each.data) for number, each in enumerate(form.sections)]
        names = ("title", "meta_title", "description", "keyphrase")
        outline = {
            **self.plan,
            **{name: typed[name] for name in names},
            "sections": sections,
            "questions": [
                {**self._part("questions", each.data["of"]), "question": each.data["question"]}
                for each in form.questions
            ],
            "links": self._links(form),
        }
        if self.is_written_freely:
            outline["closing"] = {"heading": typed["closing_heading"], "purpose": typed["closing_purpose"]}
        return outline

    def _section(self, number: int, typed: Mapping[str, Any]) -> dict[str, Any]:
        if not (typed["heading"] or "").strip():
            place = f"/payload/outline/sections/{number}/heading"
            raise invalid_field(place, "Give it a heading, or remove the section.")
        changed = {"heading": typed["heading"], "key_points": typed["key_points"] or []}
        if self.is_written_freely:
            changed |= {name: typed[name] for name in ("purpose", "format")}
            changed["words"] = (
                whole_number(typed["words"], f"/payload/outline/sections/{number}/words", 6) or 0
            )
        return {**self._part("sections", typed["of"]), **changed}

    def _links(self, form: PlanForm) -> list[dict[str, Any]]:
        renamed = {
            self._part("sections", each.data["of"]).get("heading"): each.data["heading"]
            for each in form.sections
        }
        links = self.plan["links"]
        return [{**each, "section": renamed[each["section"]]} for each in links if each["section"] in renamed]

    def _part(self, member: str, of: str | None) -> Mapping[str, Any]:
        parts: Sequence[Mapping[str, Any]] = self.plan[member]
        number = int(of) if of and re.fullmatch("[0-9]{1,2}", of, re.ASCII) else len(parts)
        return parts[number] if number < len(parts) else {}


def filled(form: PlanForm) -> PlanForm:
    sections = [each for each in form.sections.data if _is_filled(each)]
    questions = [each for each in form.questions.data if (each["question"] or "").strip()]
    return PlanForm(data={**form.data, "sections": sections, "questions": questions})


def changed(form: PlanForm, act: str) -> PlanForm:
    """Return the form after a button was pressed, with the cursor on the changed part.

    ``act`` is ``add``, ``up-2``, ``down-2``, ``remove-2``, ``add-question`` or ``remove-question-2``, by
    numbers from 0; anything else changes nothing.
    """
    found = _ACT.fullmatch(act)
    if found is None:
        return form
    member = "questions" if "question" in act else "sections"
    parts, number = list(form.parts(member).data), int(found[2] or 0)
    focus = _moved(parts, act.partition("-")[0], number)
    again = PlanForm(data={**form.data, member: parts[: form.parts(member).max_entries]})
    entries = again.parts(member)
    if 0 <= focus < len(entries):
        first = "question" if member == "questions" else "heading"
        entries[focus].form[first].render_kw = {"autofocus": True}
    return again


def _moved(parts: list[dict[str, Any]], act: str, number: int) -> int:
    if act == "add":
        parts.append({})
        return len(parts) - 1
    if number >= len(parts):
        return -1
    part = parts.pop(number)
    if act == "remove":
        return min(number, len(parts) - 1)
    place = max(0, number - 1) if act == "up" else number + 1
    parts.insert(place, part)
    return min(place, len(parts) - 1)


def _is_filled(section: Mapping[str, Any]) -> bool:
    return bool(
        section["key_points"] or any((section[name] or "").strip() for name in ("heading", "purpose"))
    )
