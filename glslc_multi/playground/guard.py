"""Who is answered: a page that this server has sent, and nobody else.

Any page on the net can send requests to the loopback, and one whose name was made to mean 127.0.0.1 (DNS rebinding)
can read the answers.  So `Host` must be a name of the loopback with our port, which such a page's is not; and where the
browser says which page asks (`Origin`, Fetch Metadata), it must be ours.
"""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_NAMES = ("127.0.0.1", "localhost", "[::1]")
#: What Fetch Metadata says of our page's own requests, and of an address that a user types.
_SITES = ("same-origin", "none")
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Guard:
    """Stands before the application."""

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app = app
        self._hosts = frozenset(f"{name}:{port}" for name in _NAMES)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http" and self._is_ours(Headers(scope=scope)):
            await self._app(scope, receive, _with_headers(send))
        elif scope["type"] == "http":
            await PlainTextResponse("only pages from here are answered", 403)(scope, receive, send)

    def _is_ours(self, headers: Headers) -> bool:
        host = headers.get("host", "")
        if host not in self._hosts or len(headers.getlist("host")) != 1:
            return False
        if headers.get("origin", f"http://{host}") != f"http://{host}":
            return False
        return headers.get("sec-fetch-site", "none") in _SITES


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers[name] = value
        await send(message)

    return send_with_headers
