"""Where a match is: a link of the web page, an address of the API, or an id on a server."""

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qs, urlsplit

DEFAULT_SERVER: Final = "http://127.0.0.1:8000"

_ID: Final = re.compile(r"[0-9]{2}-[a-z2-7]{12}")


class AddressError(ValueError):
    """A text that names no match, in words."""


@dataclass(frozen=True, slots=True)
class MatchAddress:
    """``link`` is the key of a private match's link."""

    server: str
    match: str
    link: str | None = None

    @property
    def page(self) -> str:
        """The match's link on the web page."""
        return f"{self.server}/#/m/{self.match}{f'?key={self.link}' if self.link else ''}"


def match_address(text: str, server: str | None = None) -> MatchAddress:
    """
    >>> match_address("http://table.test/#/m/07-abcdefghijkl?key=00ff").link
    '00ff'
    >>> match_address("07-abcdefghijkl").server
    'http://127.0.0.1:8000'
    """
    parts = urlsplit(text)
    found = _ID.search(text)
    if found is None or (not parts.scheme and found.group() != text):
        raise AddressError(f"{text!r} is neither a match's id nor a link to one")
    if not parts.scheme:
        return MatchAddress((server or DEFAULT_SERVER).rstrip("/"), text)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise AddressError(f"{text!r} is not a link of http or https")
    key = parse_qs(parts.query or parts.fragment.partition("?")[2]).get("key", [None])[0]
    return MatchAddress(f"{parts.scheme}://{parts.netloc}", found.group(), key)
