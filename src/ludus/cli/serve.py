"""`ludus serve`: the page. Play, review, watch it learn, lessons, in the browser."""

from __future__ import annotations

import contextlib
import secrets
import socket
import threading
import webbrowser
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import tyro

from ludus.cli.logs import LogOptions
from ludus.cli.parse import parse
from ludus.errors import BadOption, whole_option
from ludus.monitor.logs import about, hide, logger
from ludus.system import write_whole

Many = Annotated[tuple[str, ...], tyro.conf.UseAppendAction]  # a flag that may be given several times


@dataclass(frozen=True)
class Serve:
    """Opens the page in the browser: play, review, watch it learn, lessons."""

    port: int = 8000  # the next free one, if it is taken
    host: str = "127.0.0.1"  # this machine only; 0.0.0.0 lets others connect, who then need the token
    token: str | None = None  # what others need to connect; made up, if not given
    runs: Path = Path("runs")  # where games, trainings and tournaments are kept
    game: Many = ()  # games of yours: my_game.py:MyState
    program: Many = ()  # other people's programs: "GNU Go=gtp:gnugo --mode gtp"
    workers: int | None = None  # processes that search; one for every core, if not given
    browser: Annotated[bool, tyro.conf.arg(name="open")] = True  # open the browser
    logs: LogOptions = field(default_factory=LogOptions)

    def __post_init__(self) -> None:
        whole_option("port", self.port, 0, 65535)
        if self.workers is not None:
            whole_option("workers", self.workers, 1, 256)


def main(arguments: list[str]) -> None:
    open_page(parse(Serve, arguments, "ludus serve"))


def open_page(options: Serve, table: str | None = None) -> None:
    """Serves until Ctrl-C. The page opens with the game of a table, if there is one."""
    try:
        import uvicorn

        from ludus.web.app import make_app
        from ludus.web.door import LOOPBACK
        from ludus.web.site import SiteSettings
    except ModuleNotFoundError as error:
        raise without_web(error) from None
    options.logs.begin()
    token = None if options.host in LOOPBACK else options.token or secrets.token_urlsafe(12)
    hide(token or "")
    refuse_unwritable(options.runs)
    door = listen(options.host, options.port)
    port = door.getsockname()[1]
    settings = SiteSettings(
        options.runs, options.game, dict(map(read_program, options.program)), options.host, port, token, options.workers
    )
    app = make_app(settings)
    address = address_of(options.host, port, token, table)
    print(f"Ludus is at {address} (Ctrl-C stops it; games are kept in {options.runs})", flush=True)
    if options.browser:
        threading.Timer(0.3, webbrowser.open, [address]).start()
    log = logger("web")
    log.info("the server has begun", extra=about(host=options.host, port=port, runs=options.runs))
    config = uvicorn.Config(
        app,
        log_config=None,  # uvicorn's warnings go where ours do
        log_level="warning",
        access_log=False,  # addresses hold the token
        ws="websockets-sansio",
        ws_max_size=64 << 10,
        timeout_graceful_shutdown=2,
    )
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[door])
    log.info("the server has stopped")
    print(f"\nLudus has stopped; games and trainings are kept in {options.runs}", flush=True)


def without_web(error: ModuleNotFoundError) -> BadOption:
    return BadOption(f"the page needs the extra `web` ({error.name} is missing): pip install 'ludus[web]'")


def refuse_unwritable(runs: Path) -> None:
    """Refuses a folder in which no game could be kept, before anybody plays one."""
    try:
        runs.mkdir(parents=True, exist_ok=True)
        write_whole(runs / ".writable", "")
        (runs / ".writable").unlink()
    except OSError as error:
        raise BadOption(
            f"games cannot be kept in {runs}: {(error.strerror or str(error)).lower()}; say --runs FOLDER"
        ) from None


def read_program(text: str) -> tuple[str, str]:
    """A program and the name under which the page shows it: "GNU Go=gtp:gnugo --mode gtp"."""
    name, equals, agent = text.partition("=")
    if not equals or ":" not in agent:
        raise BadOption(f'write a program as NAME=AGENT, such as "GNU Go=gtp:gnugo --mode gtp", not {text!r}')
    return name.strip(), agent.strip()


def listen(host: str, port: int) -> socket.socket:
    """An open socket; if the port is taken, one of the next twenty."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in range(port, min(port + 20, 65536)) if port else [0]:
        door = socket.socket(family)
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            door.bind((host, number))
            door.listen(128)  # a browser that comes before the server is ready waits for it
            return door
        except PermissionError:
            door.close()
            raise BadOption(f"port {number} is not allowed here; try --port 8000") from None
        except OSError as error:
            door.close()
            last = error
    raise BadOption(f"cannot listen on {host}, ports {port} to {port + 19}: {(last.strerror or str(last)).lower()}")


def address_of(host: str, port: int, token: str | None, table: str | None = None) -> str:
    """What to open in a browser."""
    shown = "localhost" if host in ("127.0.0.1", "::1") else socket.gethostname() if host in ("0.0.0.0", "::") else host
    query = "&".join(f"{key}={value}" for key, value in (("token", token), ("table", table)) if value)
    return f"http://{shown}:{port}/" + (f"?{query}" if query else "")
