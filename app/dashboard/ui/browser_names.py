"""Names of browsers that people recognize, such as “Firefox on Windows”."""

from typing import Final

# In this order, because a browser also names those that it is compatible with.
_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def browser_name(user_agent: str) -> str:
    """Return the browser and the system that a User-Agent header names (pure)."""
    browser = next((name for sign, name in _BROWSERS if sign in user_agent), "Another browser")
    system = next((name for sign, name in _SYSTEMS if sign in user_agent), None)
    return f"{browser} on {system}" if system else browser
