"""The playground for the files of a folder: the same page, with this computer's compiler and simulators behind it.

In: a folder.  Out: an application for an ASGI server.  Who is answered: pages that come from here, and nobody else;
`guard.py` sees to that.  What is read: files in the folder.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from glslc_multi.playground.folder import Folder, changed, is_text
from glslc_multi.playground.guard import Guard
from glslc_multi.playground.workers import Workers

#: A request has two shaders at most.
LARGEST_REQUEST = 4 << 20
_SECONDS_BETWEEN_LOOKS = 0.5
#: A comment keeps the connection open, and shows whether anybody listens.
_LOOKS_BETWEEN_COMMENTS = 20


def make_application(folder: Folder, page: Path, port: int, first: str | None = None) -> Starlette:
    """The application; `first` is the file that the page opens."""
    served = _Served(folder, first)
    routes = [
        Route("/session", served.session, methods=["POST"]),
        Route("/config.json", served.config),
        Route("/files", served.files),
        Route("/files/{name:path}", served.file),
        Route("/changes", served.changes),
        Mount("/", StaticFiles(directory=page, html=True)),
    ]
    return Starlette(routes=routes, middleware=[Middleware(Guard, port=port)], lifespan=served.lifespan)


class _Served:
    """What is behind the routes."""

    def __init__(self, folder: Folder, first: str | None) -> None:
        self._folder = folder
        self._first = first
        self._workers = Workers(folder.root)

    @asynccontextmanager
    async def lifespan(self, application: Starlette) -> AsyncIterator[None]:
        """With the server all that it has started ends."""
        del application
        yield
        await self._workers.close()

    async def session(self, request: Request) -> Response:
        """A question of the page."""
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return PlainTextResponse("a question is JSON", 415)
        data = bytearray()
        async for part in request.stream():
            data += part
            if len(data) > LARGEST_REQUEST:
                return PlainTextResponse("the question is too long", 413)
        answer = asyncio.ensure_future(self._workers.ask(data.decode("utf-8", "replace")))
        # After the question there is nothing to receive but the client's end.
        gone = asyncio.ensure_future(request.receive())
        try:
            await asyncio.wait({answer, gone}, return_when=asyncio.FIRST_COMPLETED)
            return Response(answer.result() if answer.done() else "", media_type="application/json")
        finally:
            answer.cancel()
            gone.cancel()

    async def config(self, request: Request) -> Response:
        """Which engine the page has."""
        del request
        opened = {"file": self._first} if self._first and is_text(self._first) else {}
        return JSONResponse({"engine": "server"} | opened)

    async def files(self, request: Request) -> Response:
        """The shaders of the folder."""
        del request
        return JSONResponse({"files": await run_in_threadpool(self._folder.names)})

    async def file(self, request: Request) -> Response:
        """The text of one."""
        text = await run_in_threadpool(self._folder.read, request.path_params["name"])
        return PlainTextResponse("no such shader", 404) if text is None else PlainTextResponse(text)

    async def changes(self, request: Request) -> Response:
        """Names of files, whenever some have changed (server-sent events)."""
        del request
        return StreamingResponse(self._changes(), media_type="text/event-stream")

    async def _changes(self) -> AsyncIterator[str]:
        before: Any = await run_in_threadpool(self._folder.states)
        looks = 0
        yield ": watching\n\n"
        while True:
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
            after = await run_in_threadpool(self._folder.states)
            if names := changed(before, after):
                yield f"data: {json.dumps(names)}\n\n"
            looks += 1
            if looks % _LOOKS_BETWEEN_COMMENTS == 0:
                yield ": still watching\n\n"
            before = after
