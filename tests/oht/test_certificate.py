"""The certificate of the server: made once, trusted as clients of the course trust it, refused when of no use."""

import ssl
import stat
from datetime import UTC, datetime

import pytest
from cryptography import x509

from ludus.errors import BadOption
from ludus.protocols.oht.serving import certificate


@pytest.fixture
def files(tmp_path):
    return tmp_path / "server.crt", tmp_path / "server.key"


def shake_hands(server, client):
    """A TLS handshake in memory."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [
        server.wrap_bio(to_server, to_client, server_side=True),
        client.wrap_bio(to_client, to_server, server_hostname="localhost"),
    ]
    for _ in range(10):
        for end in list(ends):
            try:
                end.do_handshake()
                ends.remove(end)
            except ssl.SSLWantReadError:
                pass
        if not ends:
            return
    raise AssertionError("no handshake")


def test_a_client_that_trusts_the_file_connects(files):
    server = certificate.server_context(*files, "127.0.0.1")
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # as the course's client: this file and nothing else
    client.check_hostname = False
    client.load_verify_locations(files[0])
    shake_hands(server, client)


def test_a_strict_client_that_checks_the_name_connects_too(files):
    server = certificate.server_context(*files, "127.0.0.1")
    client = ssl.create_default_context(cafile=files[0])
    client.verify_flags |= ssl.VERIFY_X509_STRICT
    shake_hands(server, client)


def test_a_client_that_trusts_another_file_does_not(files, tmp_path):
    server = certificate.server_context(*files, "127.0.0.1")
    other = tmp_path / "other.crt", tmp_path / "other.key"
    certificate.make(*other, "127.0.0.1")
    client = ssl.create_default_context(cafile=other[0])
    with pytest.raises(ssl.SSLCertVerificationError):
        shake_hands(server, client)


def test_it_is_made_once_and_its_key_is_secret(files):
    certificate.server_context(*files, "127.0.0.1")
    first = files[0].read_bytes()
    certificate.server_context(*files, "127.0.0.1")
    assert files[0].read_bytes() == first
    assert stat.S_IMODE(files[1].stat().st_mode) == 0o600


def names_in(file):
    """The names by which a server with this certificate may be called."""
    extensions = x509.load_pem_x509_certificate(file.read_bytes()).extensions
    return extensions.get_extension_for_class(x509.SubjectAlternativeName).value


def test_the_host_is_among_its_names(files):
    certificate.make(*files, "hex.example.org")
    names = names_in(files[0])
    assert "hex.example.org" in names.get_values_for_type(x509.DNSName)


def test_a_host_with_other_letters_is_written_as_certificates_write_it(files):
    certificate.make(*files, "brädspel.example.org")
    assert "xn--brdspel-6wa.example.org" in names_in(files[0]).get_values_for_type(x509.DNSName)


def test_a_server_for_all_addresses_is_called_by_the_names_of_its_machine(files, monkeypatch):
    monkeypatch.setattr("socket.gethostname", lambda: "lab-pc")
    monkeypatch.setattr("socket.getfqdn", lambda: "lab-pc.example.org")
    certificate.make(*files, "0.0.0.0")
    names = names_in(files[0])
    assert {"localhost", "lab-pc", "lab-pc.example.org"} <= set(names.get_values_for_type(x509.DNSName))
    assert "0.0.0.0" not in map(str, names.get_values_for_type(x509.IPAddress))


def test_one_file_without_the_other_is_refused(files):
    certificate.make(*files, "127.0.0.1")
    files[1].unlink()
    with pytest.raises(BadOption, match="both are needed"):
        certificate.server_context(*files, "127.0.0.1")


def test_an_expired_one_is_refused_with_what_to_do(files, monkeypatch):
    certificate.make(*files, "127.0.0.1")

    class Later(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime(2100, 1, 1, tzinfo=UTC)

    monkeypatch.setattr(certificate, "datetime", Later)
    with pytest.raises(BadOption, match="delete it"):
        certificate.server_context(*files, "127.0.0.1")


def test_rubbish_is_refused(files):
    files[0].write_text("hello")
    files[1].write_text("hello")
    with pytest.raises(BadOption, match="not a certificate"):
        certificate.server_context(*files, "127.0.0.1")
