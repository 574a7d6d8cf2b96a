"""A client's connection to a tournament server: TLS that trusts one certificate, and what can go wrong in a sentence.

The courses' own classes let the errors of sockets pass as they are; the command line tells them in a sentence.
"""

from __future__ import annotations

import contextlib
import os
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path

from ludus.errors import LudusError
from ludus.system import keep_alive

PATIENCE = 15.0  # seconds for a connection to be made
FIRST_WORD = 30.0  # seconds until the server asks who we are: both protocols begin with its question


class LostConnection(LudusError, ConnectionError):
    """The server has closed the connection, or it broke."""


class BadMessage(LudusError):
    """The server sent something that is not part of the protocol."""


class Refused(LudusError):
    """The server does not let this player take part."""


def tls_context(cert: str | os.PathLike[str]) -> ssl.SSLContext:
    """Trusts exactly the certificate in a file. The server has no host name of its own, so none is compared."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_REQUIRED
    try:
        context.load_verify_locations(cert)
    except FileNotFoundError as missing:  # which does not say what is missing
        raise FileNotFoundError(missing.errno, missing.strerror, os.fspath(cert)) from None
    return context


def tls_socket(cert: str | os.PathLike[str]) -> ssl.SSLSocket:
    """A socket that is not connected yet; the handshake is part of its connect()."""
    context = tls_context(cert)
    raw = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # two small writes would wait 40 ms for each other
    return context.wrap_socket(raw)


class Link:
    """A connection to a server that must say something soon, and may then be silent for long."""

    def __init__(self, sock: ssl.SSLSocket) -> None:
        self._sock = sock
        sock.settimeout(FIRST_WORD)

    def recv(self, size: int = 1024, /) -> bytes:
        data = self._sock.recv(size)
        self._sock.settimeout(None)  # a player of the league may wait long for an opponent
        return data

    def sendall(self, data: bytes, /) -> None:
        self._sock.sendall(data)


@contextlib.contextmanager
def linked(host: str, port: int, cert: Path) -> Iterator[Link]:
    """A connection. Whatever is wrong with the certificate, the server or the line is a sentence."""
    where = f"{host}:{port}"
    with sentences(where, cert), tls_socket(cert) as sock:
        sock.settimeout(PATIENCE)
        sock.connect((host, port))
        keep_alive(sock)
        yield Link(sock)


def check_certificate(cert: Path) -> None:
    """Refuses a file that is missing, or holds no certificate."""
    try:
        tls_context(cert)
    except ssl.SSLError:
        raise LostConnection(f"{cert} holds no certificate in PEM form; the teacher hands out server.crt") from None
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise LostConnection(
            f"cannot read the certificate {cert}: {why}; the teacher hands out server.crt (--cert FILE)"
        ) from None


@contextlib.contextmanager
def sentences(where: str, cert: Path) -> Iterator[None]:
    """What goes wrong with a connection becomes one sentence that says what to do."""
    check_certificate(cert)
    try:
        yield
    except LudusError:
        raise
    except ssl.SSLCertVerificationError as error:
        raise LostConnection(
            f"the server at {where} does not show the certificate in {cert} ({error.verify_message}); "
            "ask the teacher for its present server.crt"
        ) from None
    except ssl.SSLError as error:
        why = (error.reason or type(error).__name__).replace("_", " ").lower()
        raise LostConnection(
            f"the server at {where} does not speak TLS or has broken off ({why}); check the host and the port"
        ) from None
    except socket.gaierror:
        raise LostConnection(f"there is no host {where.rpartition(':')[0]!r}; check its name") from None
    except ConnectionRefusedError:
        raise LostConnection(f"nothing listens at {where}; is the server running, and is the port right?") from None
    except TimeoutError:
        raise LostConnection(f"the server at {where} does not answer; check the host and the port") from None
    except ConnectionError as error:
        why = (error.strerror or str(error) or type(error).__name__).lower()
        raise LostConnection(f"the connection to {where} is lost: {why}") from None
