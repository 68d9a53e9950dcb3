"""Who may speak to the server, how much and how often: hosts, origins, sizes, rates. Everything else is refused."""

from __future__ import annotations

import ipaddress
import json
import socket
import time
from urllib.parse import urlsplit

from attrs import define, field

LARGEST_BODY = 16_384  # bytes of a request
LARGEST_MESSAGE = 4_096  # bytes of a message
LARGEST_TEXT = 400  # characters of a text in it
MOST_LINKS = 2_000  # connections of one process
MOST_ADDRESSES = 10_000  # that rates are kept of


def host_name(written: str) -> str:
    """`localhost:8000` is localhost, `[::1]:8000` is ::1."""
    try:
        return (urlsplit(f"//{written}").hostname or "").lower()
    except ValueError:
        return ""


def is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def can_be_written(told: object) -> bool:
    """JSON may hold halves of characters, which no text can be made of."""
    try:
        json.dumps(told, ensure_ascii=False).encode()
    except (UnicodeEncodeError, ValueError):
        return False
    return True


@define(eq=False)
class Guard:
    """A page of another site cannot speak to this server, whatever name it finds for its address: a name must be one
    of ours, and a browser must come from our own page. `public`: names behind a proxy."""

    public: tuple[str, ...] = ()
    _names: set[str] = field(init=False)

    def __attrs_post_init__(self) -> None:
        own = socket.gethostname().lower()
        self._names = {"localhost", own, f"{own}.local", *(host_name(one.split("://")[-1]) for one in self.public)}

    def allows_host(self, host: str | None) -> bool:
        name = host_name(host or "")
        return bool(name) and (name in self._names or is_address(name))

    def allows_origin(self, origin: str | None, host: str | None) -> bool:
        """What is no browser sends none."""
        if origin is None:
            return True
        try:
            came_from = urlsplit(origin)
        except ValueError:
            return False
        return came_from.scheme in {"http", "https"} and came_from.netloc.lower() == (host or "").lower()


@define(eq=False)
class Bucket:
    """So many at once, so many a second after that."""

    most: float
    a_second: float
    _left: float = field(init=False)
    _at: float = field(init=False, factory=time.monotonic)

    def __attrs_post_init__(self) -> None:
        self._left = self.most

    def take(self) -> bool:
        now = time.monotonic()
        self._left = min(self.most, self._left + (now - self._at) * self.a_second)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


@define(eq=False)
class Rates:
    """A bucket for every address; the oldest are forgotten."""

    most: float
    a_second: float
    _buckets: dict[str, Bucket] = field(init=False, factory=dict)

    def take(self, address: str) -> bool:
        bucket = self._buckets.pop(address, None) or Bucket(self.most, self.a_second)
        self._buckets[address] = bucket
        while len(self._buckets) > MOST_ADDRESSES:
            del self._buckets[next(iter(self._buckets))]
        return bucket.take()
