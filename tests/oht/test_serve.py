"""`ludus oht serve`: what it says at its start, and what it leaves undone when it cannot start."""

import pytest

from ludus.cli import run
from ludus.cli.oht.serve import in_address

NO_PORTS = ("--port", "0", "--json-port", "None", "--league-port", "None", "--api-port", "None")


@pytest.mark.parametrize("host", ["256.1.1.1", "no..host", "x" * 70 + ".example"])
def test_a_host_that_cannot_be_gets_a_sentence_and_no_certificate(host, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LUDUS_OHT_DATABASE", str(tmp_path / "oht.db"))
    assert run("oht", ["serve", "--host", host, *NO_PORTS]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"ludus oht: cannot listen on {host}, port 0: ") and len(said.splitlines()) == 1
    assert not (tmp_path / "server.crt").exists() and not (tmp_path / "server.key").exists()


def test_an_address_of_ipv6_is_written_in_brackets():
    assert in_address("::1") == "[::1]" and in_address("10.0.0.7") == "10.0.0.7"
