"""A game that the command line has prepared: `ludus othello -d 6 -a agent.py --web` opens with its program seated."""

import re
import shutil
import signal
import subprocess
import sys

import pytest

from ludus.courses.csc384.files import AgentFile
from tests.web.served import PATIENCE, Visit

COMMAND = (sys.executable, "-c", "from ludus.cli import main; main()", "othello", "--web", "--no-open", "--port=0")


@pytest.fixture
def prepared(browser, tmp_path):
    """Starts the command, and gives the page that it would open."""
    started = []

    def prepared(*arguments):
        (tmp_path / "agent.py").write_text(AgentFile(seconds=0.5).content())
        process = subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, text=True, cwd=tmp_path)
        line = process.stdout.readline()
        found = re.search(r"(http://localhost:\d+)(/\?table=\w+)", line)
        assert found, line
        visit = Visit(browser, found[1])
        started.append((process, visit))
        return visit.open(found[2])

    yield prepared
    for process, visit in started:
        visit.close()
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE)


@pytest.mark.skipif(shutil.which("python3") is None, reason="the program is run by `python3`, which is not here")
def test_a_person_plays_a_program_on_the_page(prepared):
    visit = prepared("-d", "6", "-a", "agent.py", "-l", "2")
    told = visit.told()
    assert [seat["name"] for seat in told["seats"]] == ["You", "agent.py"]
    assert told["game"]["options"] == {"size": 6, "passing": False} and told["status"]["sentence"] == "Your move."
    visit.page.fill("#move", "c2")
    visit.page.press("#move", "Enter")
    told = visit.told(lambda told: len(told["line"]) == 2)  # the program has answered
    assert told["status"]["sentence"] == "Your move."
    visit.page.wait_for_url(lambda url: "?table" not in url and "#othello,size=6,passing=False/c2." in url)
    visit.page.reload()
    assert visit.told()["table"] == told["table"]


def test_two_agents_wait_to_be_started(prepared):
    visit = prepared("-d", "4", "-a", "random", "-b", "greedy:ties=first")
    told = visit.told()
    assert [seat["name"] for seat in told["seats"]] == ["random", "greedy"] and told["line"] == []
    visit.page.keyboard.press(" ")
    visit.told(lambda told: told["status"]["over"])
