"""What the tournament server tells Prometheus, and when it is ready. The numbers are kept where they come from."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from ipaddress import ip_address

from starlette.requests import Request

from ludus.monitor.answers import Checks, bearer
from ludus.monitor.metrics import Counter, Metrics
from ludus.monitor.process import add_process
from ludus.protocols.oht.page.guard import Tally
from ludus.protocols.oht.serving.server import Server


def meters_of(server: Server, requests: Tally) -> Metrics:
    """All numbers of a server."""
    metrics, archive, house = Metrics(), server.archive, server.house
    add_process(metrics)
    metrics.add("ludus_connections_total", "Connections that were accepted, by door.", server.connected)
    metrics.add("ludus_connections_refused_total", "Connections for which there was no room.", server.turned_away)
    metrics.gauge("ludus_connections", "Open connections of players.", lambda: server.door.connections)
    metrics.gauge("ludus_players", "Connections that are logged in.", lambda: server.door.inside.total())
    metrics.add("ludus_logins_total", "Logins, right and wrong.", server.login.logins)
    metrics.add("ludus_games_finished_total", "Games that are over and stored, by how they ended.", archive.games)
    metrics.add("ludus_moves_total", "Moves of these games.", archive.moves)
    metrics.add("ludus_store_seconds", "From the end of a game until it is safe.", archive.seconds)
    metrics.add("ludus_store_troubles_total", "Times that the database could not store games.", archive.troubles)
    metrics.add("ludus_answer_seconds", "From a question to an agent of the house until its move.", house.answers)
    metrics.gauge("ludus_workers", "Processes of the house that are alive.", lambda: house.alive)
    metrics.gauge("ludus_workers_wanted", "Processes that the house may have.", lambda: house.workers)
    metrics.add("ludus_workers_lost_total", "Processes of the house that have died.", house.lost)
    metrics.add("ludus_responses_total", "Answers by HTTP, by kind of status.", requests.answers)
    metrics.gauge("ludus_errors_total", "Errors of the server itself.", errors_of(server, requests.errors), "where",
                  kind="counter")  # fmt: skip
    return metrics


def errors_of(server: Server, requests: Counter) -> Callable[[], dict[tuple[str, ...], float]]:
    return lambda: {("connection",): 0.0, **server.errors.values, ("request",): requests.values[()]}


def checks_of(server: Server) -> Checks:
    """What the server needs to serve: its database, and processes in which agents think, if its agents need some."""

    async def database() -> bool:
        await server.archive.ask(server.archive.store.status)
        return True

    async def workers() -> bool:
        server.house.expect(server.agents)  # starts those that have died
        return server.house.alive > 0 or all(agent == "random" for agent in server.agents)

    return {"database": database, "workers": workers}


def reader(token: str) -> Callable[[Request], bool]:
    """Who may see the numbers: whoever brings the token; without a token, this machine."""

    def may_read(request: Request) -> bool:
        if token:
            return secrets.compare_digest(bearer(request).encode(), token.encode())
        return request.client is not None and ip_address(request.client.host.partition("%")[0]).is_loopback

    return may_read
