"""What can be asked of the console: agents, their words and screens, as JSON and as WebSockets; and the page itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Annotated, Any

import msgspec
from fastapi import FastAPI, HTTPException, Path, Query, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from desktop_agent import __version__
from desktop_agent.extras.console.agents.roster import AgentView, Roster
from desktop_agent.extras.console.page import novnc_files
from desktop_agent.extras.console.page.changes import LIST, Changes
from desktop_agent.extras.console.page.screen_control import ScreenControl
from desktop_agent.extras.console.page.screens import NO_SCREEN, pass_on
from desktop_agent.extras.console.page.viewing_only import ClientMessages
from desktop_agent.protocol.errors import DesktopAgentError, Refused
from desktop_agent.support import resources
from desktop_agent.support.loopback_access import PROTOCOL

MOST_MESSAGES, LARGEST_ANSWER = 200, 4 << 20
"""Messages that are given at once, and their bytes; whoever wants more asks on from there."""
VIEWER_PROTOCOL = "viewer."
_PAGE = {
    "/": ("index.html", "text/html; charset=utf-8"),
    "/console.css": ("console.css", "text/css; charset=utf-8"),
    "/console.js": ("console.js", "text/javascript; charset=utf-8"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
}
Name = Annotated[str, Path(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$")]
Place = Annotated[str, Path(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,80}$")]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class NewName(_Body):
    """The name of an agent; "" for the next that is free."""

    name: str = Field(default="", max_length=40)


class Said(_Body):
    """Words for an agent."""

    text: str = Field(min_length=1, max_length=20_000, pattern=r"\S")


class Decided(_Body):
    """An answer to what an agent asks under `id`."""

    id: str = Field(min_length=1, max_length=100)
    always: bool = False


class Viewing(_Body):
    """The viewer that takes the screen, as its WebSocket names it."""

    viewer: str = Field(pattern=r"^[0-9a-f]{16,64}$")


class Nothing(_Body):
    """No more than that it is wanted."""


def create_app(roster: Roster, changes: Changes, listed: Callable[[], Any] = lambda: None) -> FastAPI:
    """The application without its checks (see `access`); `listed()` is called when the list of agents has changed."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        changes.close()

    app = FastAPI(
        title="desktop-agent console",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
        responses={
            409: {"description": "It is refused, and why."},
            404: {"description": "There is none of that name."},
        },
    )
    app.state.roster, app.state.changes, app.state.control = roster, changes, ScreenControl(roster)
    app.add_exception_handler(DesktopAgentError, _in_words)
    _add_agents(app, roster, changes, listed)
    _add_words(app, roster)
    _add_control(app, app.state.control, changes)
    _add_sockets(app, roster, changes)
    _add_page(app)
    return app


async def _in_words(request: Request, error: Exception) -> JSONResponse:  # noqa: ARG001 - as FastAPI calls it
    assert isinstance(error, DesktopAgentError)  # noqa: S101
    missing = isinstance(error, Refused) and error.message.startswith("There is no ")
    status = 404 if missing else 409 if isinstance(error, Refused) else 503
    return JSONResponse({"error": error.message, "advice": error.advice}, status)


def _plain(value: Any) -> Any:
    return msgspec.to_builtins(value)


def _shown(view: AgentView) -> dict[str, Any]:
    found: dict[str, Any] = _plain(view)
    return found


# ---- agents --------------------------------------------------------------------------------------


def _add_agents(app: FastAPI, roster: Roster, changes: Changes, listed: Callable[[], Any]) -> None:
    control: ScreenControl = app.state.control

    def changed() -> None:
        listed()
        changes.note(LIST)

    @app.get("/api/agents")
    def agents() -> list[dict[str, Any]]:
        return [_shown(each) for each in roster.agents()]

    @app.post("/api/agents", status_code=201)
    def create(body: NewName) -> dict[str, Any]:
        made = roster.create(body.name)
        changed()
        return _shown(made)

    @app.post("/api/agents/{name}/rename")
    def rename(name: Name, body: NewName) -> dict[str, Any]:
        view = roster.rename(name, body.name)
        changed()
        return _shown(view)

    @app.delete("/api/agents/{name}")
    def trash(name: Name, body: Nothing) -> dict[str, str]:  # noqa: ARG001 - it has to be JSON
        place = roster.trash(name)
        changed()
        return {"place": place}

    @app.get("/api/trash")
    def trashed() -> list[str]:
        return list(roster.folders.trashed())

    @app.post("/api/trash/{place}/restore")
    def restore(place: Place, body: Nothing) -> dict[str, Any]:  # noqa: ARG001
        view = roster.restore(place)
        changed()
        return _shown(view)

    @app.post("/api/agents/{name}/start")
    def start(name: Name, body: Nothing) -> dict[str, Any]:  # noqa: ARG001
        roster.start(name)
        changes.note(name)
        return _shown(roster.agent(name))

    @app.post("/api/agents/{name}/stop")
    def stop(name: Name, body: Nothing) -> dict[str, Any]:  # noqa: ARG001
        control.forget(name)
        roster.stop(name)
        changes.note(name)
        return _shown(roster.agent(name))


# ---- words ---------------------------------------------------------------------------------------


def _add_words(app: FastAPI, roster: Roster) -> None:
    @app.post("/api/agents/{name}/say", status_code=204)
    def say(name: Name, body: Said) -> None:
        roster.say(name, body.text)

    @app.post("/api/agents/{name}/approve", status_code=204)
    def approve(name: Name, body: Decided) -> None:
        roster.approve(name, body.id, body.always)

    @app.post("/api/agents/{name}/skip", status_code=204)
    def skip(name: Name, body: Decided) -> None:
        roster.skip(name, body.id)

    @app.get("/api/agents/{name}/messages")
    def messages(name: Name, after: Annotated[int, Query(ge=0, le=10_000_000)] = 0) -> list[dict[str, Any]]:
        return [_plain(each) for each in roster.messages(name, after, LARGEST_ANSWER)[:MOST_MESSAGES]]

    @app.get("/api/agents/{name}/environments")
    def environments(name: Name) -> dict[str, str]:
        return {"text": roster.environments(name)}


# ---- control -------------------------------------------------------------------------------------


def _add_control(app: FastAPI, control: ScreenControl, changes: Changes) -> None:
    roster: Roster = app.state.roster

    @app.post("/api/agents/{name}/pause", status_code=204)
    def pause(name: Name, body: Nothing) -> None:  # noqa: ARG001
        roster.pause(name)
        changes.note(name)

    @app.post("/api/agents/{name}/resume", status_code=204)
    def resume(name: Name, body: Nothing) -> None:  # noqa: ARG001
        roster.resume(name)
        changes.note(name)

    @app.post("/api/agents/{name}/take", status_code=204)
    def take(name: Name, body: Viewing) -> None:
        control.take(name, body.viewer)
        changes.note(name)

    @app.post("/api/agents/{name}/give-back", status_code=204)
    def give_back(name: Name, body: Viewing) -> None:
        control.give_back(name, body.viewer)
        changes.note(name)


# ---- WebSockets ----------------------------------------------------------------------------------


def _add_sockets(app: FastAPI, roster: Roster, changes: Changes) -> None:
    control: ScreenControl = app.state.control

    @app.websocket("/api/events")
    async def events(socket: WebSocket) -> None:
        await socket.accept(PROTOCOL)
        loop = asyncio.get_running_loop()
        with changes.viewer(loop) as viewer:
            ended = asyncio.create_task(_until_closed(socket))
            try:
                while not ended.done():
                    wait = asyncio.create_task(viewer.wait())
                    await asyncio.wait({wait, ended}, return_when=asyncio.FIRST_COMPLETED)
                    wait.cancel()
                    if not ended.done():
                        told = await asyncio.to_thread(_news, roster, viewer.taken())
                        await socket.send_json(told)
            except (WebSocketDisconnect, RuntimeError):
                return
            finally:
                ended.cancel()

    async def show(socket: WebSocket, name: str) -> None:
        viewer = next((each for each in socket.scope["subprotocols"] if each.startswith(VIEWER_PROTOCOL)), "")
        await socket.accept(PROTOCOL)
        server = roster.screen(name)
        if server is None:
            await socket.close(NO_SCREEN, "There is no screen now.")
            return
        own = viewer.removeprefix(VIEWER_PROTOCOL)
        try:
            await pass_on(socket, server, ClientMessages(lambda: bool(own) and control.has(name, own)))
        finally:
            if own:
                await asyncio.to_thread(control.left, name, own)

    @app.websocket("/api/agents/{name}/screen")
    async def screen(socket: WebSocket, name: Name) -> None:
        await show(socket, name)

    @app.websocket("/")
    async def screen_at_its_port(socket: WebSocket) -> None:
        port = socket.scope["state"]["port"]
        views = await asyncio.to_thread(roster.agents)
        name = next((each.name for each in views if each.novnc_port == port), "")
        await show(socket, name)


async def _until_closed(socket: WebSocket) -> None:
    try:
        while True:
            await socket.receive_text()
    except (WebSocketDisconnect, RuntimeError, KeyError):
        return


def _news(roster: Roster, names: set[str]) -> dict[str, Any]:
    """What a viewer is told: all agents where the list has changed, else those that have."""
    if LIST in names:
        return {"agents": [_shown(each) for each in roster.agents()]}
    found = []
    for name in names:
        try:
            found.append(_shown(roster.agent(name)))
        except DesktopAgentError:  # it was deleted meanwhile, which the list tells
            continue
    return {"changed": found}


# ---- the page ------------------------------------------------------------------------------------


def _add_page(app: FastAPI) -> None:
    def add(path: str, file: str, kind: str) -> None:
        @app.get(path, include_in_schema=False)
        def page() -> Response:
            return Response(resources.path("console", file).read_bytes(), media_type=kind)

    for path, (file, kind) in _PAGE.items():
        add(path, file, kind)

    @app.get("/novnc/{name:path}", include_in_schema=False)
    def novnc(name: str) -> Response:
        found = novnc_files.script(name)
        if found is None:
            raise HTTPException(404)
        return Response(found, media_type="text/javascript; charset=utf-8")
