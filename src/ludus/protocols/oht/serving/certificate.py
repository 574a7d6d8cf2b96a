"""The certificate of the server: made on its first start, and handed out to the players as `server.crt`."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import socket
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from ludus.errors import BadOption
from ludus.system import write_whole

DAYS = 730  # for which a new certificate is valid


def server_context(certificate: Path, key: Path, host: str) -> ssl.SSLContext:
    """What encrypts the connections. Makes the certificate and its key if neither file is there."""
    if not certificate.exists() and not key.exists():
        make(certificate, key, host)
    elif not (certificate.exists() and key.exists()):
        there, missing = (certificate, key) if certificate.exists() else (key, certificate)
        raise BadOption(f"{there} is there but {missing} is not; both are needed, or neither, to make new ones")
    check_dates(certificate)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION
    context.num_tickets = 0  # clients play one long session, so none is ever resumed
    try:
        context.load_cert_chain(certificate, key)
    except (ssl.SSLError, OSError) as error:
        raise BadOption(f"{certificate} and {key} cannot be used as certificate and key: {error}") from None
    return context


def make(certificate: Path, key: Path, host: str) -> None:
    """A new key, and a certificate that it signs itself, so that the certificate is also what clients trust."""
    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Ludus online Hex tournament")])
    now = datetime.now(UTC)
    usage = x509.KeyUsage(True, False, False, False, False, True, False, False, False)  # signs data and certificates
    made = (
        x509.CertificateBuilder(name, name, private.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=DAYS))
        .add_extension(x509.BasicConstraints(True, 0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectAlternativeName(names_of(host)), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(private.public_key()), critical=False)
        .sign(private, hashes.SHA256())
    )
    secret = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    with os.fdopen(os.open(key, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(secret)
    write_whole(certificate, made.public_bytes(serialization.Encoding.PEM))


def names_of(host: str) -> list[x509.GeneralName]:
    """The names by which the server may be called; clients of the REST interface compare them with the one they use."""
    everywhere = host in ("0.0.0.0", "::")
    names = dict.fromkeys(("localhost", "127.0.0.1", *(own_names() if everywhere else (host,))))
    return [general_name(name) for name in names]


def general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name.encode("idna").decode())


def own_names() -> list[str]:
    """What this machine is called, and the address by which it speaks to others."""
    names = [name for name in (socket.gethostname(), socket.getfqdn()) if name and name.isascii()]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # an address that nobody has; nothing is sent
        names.append(probe.getsockname()[0])
    return names


def check_dates(certificate: Path) -> None:
    """Refuses a certificate that is not valid today: no client would accept it."""
    try:
        read = x509.load_pem_x509_certificate(certificate.read_bytes())
    except ValueError:
        raise BadOption(f"{certificate} is not a certificate in PEM format") from None
    if not read.not_valid_before_utc <= datetime.now(UTC) <= read.not_valid_after_utc:
        raise BadOption(
            f"{certificate} was valid until {read.not_valid_after_utc:%Y-%m-%d}; delete it and its key to make a "
            "new one, and hand that out to the players"
        )
