"""What the tests of `ludus oht play` share: rounds that a scripted server plays, and running the command."""

import json
import os

from ludus.cli import run
from tests.oht.scripted import closed, json_series, say, tell, text_login, text_series, told

PASSWORD, TOKEN = "correct horse battery", "0123456789abcdef"
link_results: list = []  # the statistics of every round, as the server has counted them


def play(capsys, port, *flags, agent="random"):
    """Exit code, standard output and standard error of a round; no secret is in either."""
    os.environ |= {"LUDUS_OHT_PASSWORD": PASSWORD} | ({} if "--token-file" in flags else {"LUDUS_OHT_TOKEN": TOKEN})
    code = run("oht", ["play", "--server", f"127.0.0.1:{port}", "--agent", agent, "--seed", "1", *flags])
    shown = capsys.readouterr()
    assert PASSWORD not in shown.out + shown.err and TOKEN not in shown.out + shown.err
    assert "Traceback" not in shown.err
    return code, shown.out, shown.err


def text_round(link, qualify="n", nickname="ann"):
    text_login(link, "ann", PASSWORD, nickname, qualify)
    stats = [text_series(link, 3, 4, 1, 1), text_series(link, 4, 2, 2, 2)]
    wins = sum(series[0][2] for series in stats)
    say(link, "Tournament end", 100 * wins / 6)
    assert closed(link)
    link_results.append(stats)


def json_round(link, answer=b"\x05\x00\x00\x00false"):
    tell(link, '{"topic": "authentication"}')
    assert told(link)[4:] == json.dumps(TOKEN).encode()
    tell(link, '{"topic": "message", "message": "Hello \\u001b[31mann", "level": "INFO"}')
    tell(link, '{"topic": "question", "question": "qualify", "prompt": "Qualify?"}')
    assert told(link) == answer
    stats = [json_series(link, 3, 4, 2, 3), json_series(link, 4, 2, 1, 4)]
    tell(link, json.dumps({"topic": "tournament_over", "score": 50.0}))
    tell(link, '{"topic": "finish"}')
    assert closed(link)
    link_results.append(stats)


def sit_down(monkeypatch, folder):
    """In the folder of server.crt, without secrets in the environment and without old results."""
    monkeypatch.chdir(folder)
    link_results.clear()
    for name in ("LUDUS_OHT_PASSWORD", "LUDUS_OHT_TOKEN"):
        monkeypatch.setenv(name, "")  # the tests' own environment comes back at the end
        monkeypatch.delenv(name)
