"""What a kind of publish target provides: its settings, its texts for people, and its calls.

A kind translates between this service and one vendor's interface. It does not decide when to write or to look
up, and it stores nothing: delivery, publications and reconcile do that for every kind.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal, get_args
from urllib.parse import urlsplit

from app.failures import Failure, failure, invalid_field
from app.infra.checks import clean_text, refuse_unknown, required_text
from app.infra.http.client import Fetcher

DeliveryCertainty = Literal["not_delivered", "unknown"]
Visibility = Literal["live", "draft"]
"""How a post is to be at its target: readable by everybody, or hidden there."""
RemoteStatus = Literal["live", "draft", "scheduled"]

NOT_DELIVERED: Final[DeliveryCertainty] = "not_delivered"
UNKNOWN: Final[DeliveryCertainty] = "unknown"

CALL_SECONDS: Final = 20.0

_MOST_SETTING: Final = 2048
MOST_SECRET: Final = 1024


@dataclass(frozen=True)
class Picture:
    """The cover image of a post, or an image of its text. ``file_name`` changes with the image."""

    data: bytes = field(repr=False)
    media_type: str
    alt: str
    file_name: str


@dataclass(frozen=True)
class Document:
    """A post as it is sent: ``post`` is JSON-ready, and each call carries the ``publication_id``.

    The post's ``version`` grows with each change, so each update has its own number. ``digest`` identifies
    the text. ``visibility`` is how the post is to be at the target. ``is_update`` is set when the text
    replaces one that is live at the target. ``images`` are the stored images that the text shows, by the ids
    in its references (see text_images).
    """

    publication_id: str
    digest: str
    post: Mapping[str, Any]
    visibility: Visibility = "live"
    is_update: bool = False
    picture: Picture | None = None
    images: Mapping[int, Picture] = field(default_factory=dict)


@dataclass(frozen=True)
class Reference:
    """What is known of a publication when its target is asked for it.

    ``slug`` is the one that the post was first sent with, ``began_at`` the time of the publication's first
    call at the earliest. ``external_id`` is the target's own id, None until the target has returned it.
    ``existing_id`` is that of a post which was there before and which is to become the publication's, or,
    with an ``external_id``, became it.
    """

    publication_id: str
    slug: str = ""
    began_at: datetime | None = None
    external_id: str | None = None
    existing_id: str | None = None


@dataclass(frozen=True)
class RemotePost:
    """A post as it is at its target.

    ``digest`` is the digest of our text there, None if the target does not report it. ``fingerprint``
    identifies the text that the target has: it changes when somebody edits it there; None if that cannot be
    noticed.
    ``slug`` is the one that the target gave to the post, and ``title`` and ``text`` what it shows now.
    ``publication_id`` is that of the post's marker, None if it has none.
    """

    external_id: str | None
    url: str
    status: RemoteStatus = "live"
    digest: str | None = None
    fingerprint: str | None = None
    slug: str | None = None
    title: str | None = None
    text: str | None = field(default=None, repr=False)
    publication_id: str | None = None
    version: str | None = None
    """What the kind needs to have back with a change, such as the time of the last change there."""
    image_addresses: Mapping[int, str] = field(default_factory=dict, compare=False)
    """Where the target shows the images of the text that ``create`` has just sent, by their ids here."""


@dataclass(frozen=True)
class Access:
    """What a call to a target needs: its settings, its secret in plain text, and the HTTP client."""

    settings: Mapping[str, Any]
    secret: str | None = field(repr=False)
    http: Fetcher


class PublishProblem(Exception):
    """A call that failed: the failure, and how certain it is that the target does not have the text.

    A target that may have the text did not refuse it: its PUBLISH_REJECTED becomes PUBLISH_UNCLEAR.
    """

    def __init__(self, failure: Failure, certainty: DeliveryCertainty) -> None:
        is_unclear = failure.code == "PUBLISH_REJECTED" and certainty == UNKNOWN
        self.failure = _unclear(failure) if is_unclear else failure
        self.certainty = certainty
        super().__init__(f"{self.failure.code}, {certainty}")


def _unclear(refusal: Failure) -> Failure:
    said = None if refusal.message == refusal.kind.message else refusal.message
    hints = None if refusal.hints == refusal.kind.hints else refusal.hints
    return failure("PUBLISH_UNCLEAR", said, hints=hints, details=refusal.details)


CheckName = Literal["reachable", "api_found", "signed_in", "may_publish", "may_delete"]
CHECK_NAMES: Final[tuple[CheckName, ...]] = get_args(CheckName)


@dataclass(frozen=True)
class CheckStep:
    """One step of the test of a target: passed if it has no ``failure``. ``message`` says what was found."""

    name: CheckName
    message: str
    failure: Failure | None = None


@dataclass(frozen=True)
class Setting:
    """One setting of a kind: how the dashboard's form, the API and the command line ask for it.

    ``check`` takes the value and its path in the request, such as ``/settings/url``, and returns the value to
    store. It raises INVALID_REQUEST or URL_NOT_ALLOWED and makes no calls. ``is_address`` is set for URLs.
    A setting with ``choices`` (value and label) takes one of them. One that is not ``required`` may be empty;
    then ``default`` is stored.
    """

    name: str
    label: str
    hint: str
    check: Callable[[str, str], str] = lambda value, _path: value
    placeholder: str = ""
    is_address: bool = False
    required: bool = True
    default: str = ""
    choices: tuple[tuple[str, str], ...] = ()

    def checked(self, value: Any) -> str:
        """Return the value to store. Raises INVALID_REQUEST or URL_NOT_ALLOWED."""
        path = f"settings/{self.name}"
        read = required_text if self.required else clean_text
        text = read(path, value, _MOST_SETTING)
        if text is None:
            return self.default
        if self.choices and text not in dict(self.choices):
            raise invalid_field(f"/{path}", f"Use one of: {', '.join(dict(self.choices))}.")
        return self.check(text, f"/{path}")


def default_status(live: str, draft: str, hint: str = "") -> Setting:
    """Return the setting for how new posts are at a target that has drafts, with its labels."""
    return Setting(
        "default_status",
        label="New posts are",
        hint=hint,
        required=False,
        default="live",
        choices=(("live", live), ("draft", draft)),
    )


@dataclass(frozen=True)
class GeneratedSecret:
    """A secret that this service makes for each target and shows once.

    ``usage`` explains to the owner what to do with it, ``rotation`` what happens to the former secret.
    ``steps`` say what the owner's program has to do.
    """

    generate: Callable[[], str]
    usage: str
    rotation: str
    steps: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class EnteredSecret:
    """A secret that the owner gets at the target and enters here. It is never shown again.

    ``check`` takes the value and the path ``/secret`` and returns the value to store, or raises
    INVALID_REQUEST with a message that does not repeat the value. ``steps`` say where it is found, in the
    words of the vendor's screens: what to open, and what to do there. ``sent_to`` is the setting with the
    address that gets the secret.
    """

    label: str
    hint: str
    check: Callable[[str, str], str]
    required: bool = True
    steps: tuple[tuple[str, str], ...] = ()
    sent_to: str = "url"

    def checked(self, value: Any) -> str | None:
        """Return the secret to store, None if there is none. Raises INVALID_REQUEST for ``/secret``."""
        read = required_text if self.required else clean_text
        text = read("secret", value, MOST_SECRET)
        return None if text is None else self.check(text, "/secret")


@dataclass(frozen=True)
class TargetKind:
    """One kind of publish target: one row of the registry.

    ``name`` is stored with each target and never changes. ``title``, ``summary`` (what such a target does)
    and ``unpublishing`` (how its owner removes a post there) are shown to people.

    Each call is one attempt and raises PublishProblem if it fails.

    - ``find`` returns the post of a reference at the target, or None if the target certainly does not have
      it. It raises when the target gives no clear answer.
    - ``create`` makes the document a new post: hidden if the kind ``has_drafts``, else live at once.
    - ``write`` gives a post that the target has the document's text and visibility.
    - ``unpublish`` hides a post from readers; ``delete`` removes one that is hidden. None if the kind cannot.
    - ``post_with_slug`` returns the one post that has a slug, whoever wrote it; None if there is none that
      may be changed, or several. None if the kind cannot update posts that were there before.
    - ``url_of_slug`` returns where the site shows the post that has a slug which the given draft could not
      have. It makes no calls. None if the kind does not know.
    - ``check`` tests the target step by step, in the order of CHECK_NAMES, and ends with the first failure.

    ``find`` is called before ``create`` if the kind has drafts, and after every call of unknown outcome.
    ``shows_posts`` is set if the target itself shows a live post to readers at once, at the post's address.
    ``is_offered`` returns whether this installation can have targets of the kind. A site that ``is_built``
    shows its readers a change only after its next build.
    """

    name: str
    title: str
    summary: str
    unpublishing: str
    settings: tuple[Setting, ...]
    find: Callable[[Reference, Access], RemotePost | None]
    create: Callable[[Document, Access], RemotePost]
    write: Callable[[Document, RemotePost, Access], RemotePost]
    check: Callable[[Access], Iterator[CheckStep]]
    unpublish: Callable[[RemotePost, Access], None] | None = None
    delete: Callable[[RemotePost, Access], None] | None = None
    post_with_slug: Callable[[str, Access], RemotePost | None] | None = None
    url_of_slug: Callable[[str, RemotePost, Access], str] | None = None
    has_drafts: bool = False
    is_built: bool = False
    shows_posts: bool = False
    secret: GeneratedSecret | EnteredSecret | None = None
    is_offered: Callable[[], bool] = lambda: True

    @property
    def generates_secret(self) -> bool:
        return isinstance(self.secret, GeneratedSecret)

    def refuse_another_host(self, settings: Mapping[str, Any], changed: Mapping[str, Any]) -> None:
        """Raise INVALID_REQUEST for ``/secret`` if changed settings send an entered secret elsewhere."""
        if not isinstance(self.secret, EnteredSecret):
            return
        former, present = (urlsplit(each.get(self.secret.sent_to) or "")[:2] for each in (settings, changed))
        if former != present:
            raise invalid_field("/secret", "The address has another host: enter the secret again, too.")

    def checked_settings(self, values: Mapping[str, Any]) -> dict[str, str]:
        """Return the settings to store. Raises INVALID_REQUEST or URL_NOT_ALLOWED; makes no calls."""
        refuse_unknown(values, [setting.name for setting in self.settings], "/settings")
        return {setting.name: setting.checked(values.get(setting.name)) for setting in self.settings}
