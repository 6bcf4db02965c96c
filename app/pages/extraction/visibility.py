"""Which elements of a page are hidden, or not a part of its own text. Pure."""

from collections.abc import Mapping
from typing import Final

from app.pages.extraction.styles import StyleRules, declarations, hide

_SKIPPED: Final = frozenset(
    """
    script style template noscript nav aside button select option input textarea iframe object embed svg
    canvas audio video dialog menu head title math search rt rp del s strike datalist frameset
    """.split()
)
_SKIPPED_ROLES: Final = frozenset(
    """
    navigation search banner contentinfo complementary dialog alertdialog menu menubar toolbar tablist
    tooltip doc-toc doc-pagelist doc-index
    """.split()
)
# Whole class names or ids, as site generators and themes use them.
_COOKIE_BOXES: Final = """
    alert banner bar consent disclaimer law message modal notice notification overlay popup warning
""".split()
ONLY_SAID: Final = frozenset({"sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text"})
"""The classes of what only those hear who have the page read aloud."""
_SKIPPED_NAMES: Final = (
    ONLY_SAID
    | frozenset(
        """
    nav navbar navigation breadcrumb breadcrumbs sidebar sphinxsidebar related toctree-wrapper
    headerlink admonition-title linenos lineno cookie-banner cookie-notice cookie-consent skip-link
    skip-to-content pagination social-share share-buttons site-footer
    site-header footer page-footer rst-footer-buttons wy-nav-side toc table-of-contents edit-link
    newsletter related-posts comments screenreader mw-editsection
    onetrust-consent-sdk cybotcookiebotdialog cookieconsent cc-window cookie-bar cookiebar gdpr skip-nav
    skiplink copy-button copybtn line-numbers-rows hljs-ln-numbers rouge-gutter anchorjs-link
    header-anchor hash-link site-navigation main-navigation nav-links post-navigation breadcrumb-trail
    navheader navfooter language-switcher lang-switcher language-selector language-menu locale-switcher
    version-switcher version-selector rst-versions sharebar share-bar share-links social-links
    social-sharing sharedaddy addtoany_content tag-list post-tags entry-tags tagcloud pager
    page-navigation prev-next newsletter-signup newsletter-form newsletter-box subscribe-form
    mc_embed_signup related-articles related-content jp-relatedposts read-next btn-copy copy-btn
    code-copy clipboard-copy display-none d-print-block print-only visible-print visible-print-block
    """.split()
    )
    | {
        f"{word}{mark}{box}"
        for word in ("cookie", "cookies")
        for mark in ("", "-", "_")
        for box in _COOKIE_BOXES
    }
)


class Visibility:
    """Decides which elements of a page a reader sees as part of its text."""

    def __init__(self, rules: StyleRules | None = None) -> None:
        self._rules = rules or StyleRules()

    def hides(self, tag: str, attributes: Mapping[str, str]) -> bool:
        """Return whether an element with this tag and these attributes is left out with its contents."""
        return tag in _SKIPPED or self.hides_by_attributes(tag, attributes)

    def hides_by_attributes(self, tag: str, attributes: Mapping[str, str]) -> bool:
        """Return whether an element is left out for its attributes, or by a rule of the page's styles."""
        if not attributes:
            return False
        if attributes.get("hidden", "until-found").lower() != "until-found":
            return True
        if attributes.get("aria-hidden", "").strip().lower() == "true":
            return True
        if attributes.get("role", "").strip().lower() in _SKIPPED_ROLES:
            return True
        names = _names(attributes)
        if names and not _SKIPPED_NAMES.isdisjoint(name[1:].lower() for name in names):
            return True
        style = self._style(tag, attributes, names)
        return bool(style) and hide(style)

    def display(self, tag: str, attributes: Mapping[str, str]) -> str:
        """Return the ``display`` that the element's style declares, "" if there is none."""
        if not attributes or not (self._rules.declare_display or "display" in attributes.get("style", "")):
            return ""
        return self._style(tag, attributes, _names(attributes)).get("display", "")

    def _style(self, tag: str, attributes: Mapping[str, str], names: list[str]) -> dict[str, str]:
        style = self._rules.declarations(tag, names) if names else {}
        if attributes.get("style"):
            style.update(declarations(attributes["style"]))
        return style


def _names(attributes: Mapping[str, str]) -> list[str]:
    names = [f".{name}" for name in attributes.get("class", "").split()]
    own = attributes.get("id", "").strip()
    return [*names, f"#{own}"] if own else names
