"""Outside programs: whatever they do, we get an answer or a sentence, and nothing stays behind."""

import gc
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from ludus.agents import AgentFailed
from ludus.errors import LudusError
from ludus.protocols.program import MAX_LINE, MAX_PENDING, Program

LONG = 100  # seconds, of which a program needs a few on a busy machine
linux = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")


def python(code):
    return f"{shlex.quote(sys.executable)} -I -S -c {shlex.quote(code)}"


@pytest.fixture
def start():
    """Starts programs and ends them after the test; nothing of them may then be left."""
    programs = []

    def start(command, **options):
        programs.append(Program(command, **options))
        return programs[-1]

    yield start
    for program in programs:
        program.close()
        assert not program.alive
        with pytest.raises(ProcessLookupError):
            os.kill(program.pid, 0)
        with pytest.raises(ChildProcessError):  # it is no zombie: nobody is left to wait for
            os.waitpid(program.pid, 0)


def fails(kind, action, *words):
    with pytest.raises(AgentFailed) as caught:
        action()
    assert caught.value.kind == kind, str(caught.value)
    assert all(word in str(caught.value) for word in words), str(caught.value)


def runs(pid):
    """Does this process run? One that has ended and that nobody has waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def gone(pid, seconds=LONG):
    """Does this process end soon?"""
    deadline = time.monotonic() + seconds
    while runs(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not runs(pid)


def test_lines_go_in_and_come_out(start):
    program = start("cat")
    for text in ("hello", "", "zwölf Äpfel", "x" * MAX_LINE):
        program.send(text, LONG)
        assert program.read_line(LONG) == text
    program.send("one\ntwo\r", LONG)
    assert [program.read_line(LONG), program.read_line(LONG)] == ["one", "two"]
    assert program.alive


def test_quotes_in_a_command_are_understood_and_no_shell_is_asked(start):
    assert start("printf '%s\\n' 'a b;$HOME'").read_line(LONG) == "a b;$HOME"


@pytest.mark.parametrize(
    "command, words",
    [
        ("no-such-program --fast", "no program 'no-such-program'"),
        ("/etc", "no program '/etc'"),
        ("/etc/passwd", "no program '/etc/passwd'"),
        ("echo 'oh", "no closing quotation"),
        ("  ", "a program and its arguments"),
        ("cat \0", "a program and its arguments"),
    ],
)
def test_a_command_that_cannot_be_run_is_one_sentence(command, words):
    with pytest.raises(LudusError, match=words):
        Program(command)


def test_memory_must_be_a_number_of_megabytes():
    with pytest.raises(LudusError, match="memory must be a whole number of megabytes"):
        Program("cat", memory=0)


def test_a_file_that_is_no_program_fails_with_a_reason(start, tmp_path):
    path = tmp_path / "engine"
    path.write_bytes(b"\x7fELF nonsense")
    path.chmod(0o755)
    fails("crash", lambda: start(str(path)).read_line(LONG), "exited with code 127", "could not be started")


def test_a_silent_program_is_too_late(start):
    program = start("sleep 60")
    fails("flag", lambda: program.read_line(0.05), "sleep 60 gave no answer within 0.1 s")
    fails("flag", lambda: program.read_line(0), "gave no answer")
    assert program.alive


def test_a_program_that_does_not_read_does_not_block_us(start):
    program = start("sleep 60")
    fails("flag", lambda: program.send("x" * 10**6, 0.1), "did not read its input")


def test_a_program_that_talks_before_it_reads_does_not_block_us(start):
    chatty = "import sys; sys.stdout.write('x' * 1000 + '\\n' * 300_000); print(len(sys.stdin.readline()))"
    program = start(python(chatty))
    program.send("y" * 500_000, LONG)
    assert program.read_line(LONG) == "x" * 1000
    for _ in range(299_999):
        assert program.read_line(LONG) == ""
    assert program.read_line(LONG) == "500001"


def test_a_crash_tells_the_code_and_the_last_words(start):
    program = start("sh -c 'echo fine; echo first >&2; echo out of pens >&2; echo >&2; exit 3'")
    assert program.read_line(LONG) == "fine"
    for _ in range(2):
        fails("crash", lambda: program.read_line(LONG), "exited with code 3; it last said: out of pens")
    fails("crash", lambda: program.send("hello", LONG), "exited with code 3; it last said: out of pens")
    assert not program.alive


def test_a_crash_by_a_signal_tells_which(start):
    program = start("sh -c 'kill -SEGV $$'")
    fails("crash", lambda: program.read_line(LONG), "was ended by signal 11")


def test_last_words_are_kept_however_many_there_were(start):
    words = "import sys; sys.stderr.write('noise\\n' * 200_000 + 'x' * 999 + '\\nthe end'); print('done'); sys.exit(4)"
    program = start(python(words))
    assert program.read_line(LONG) == "done"  # a full standard error did not block it
    fails("crash", lambda: program.read_line(LONG), "exited with code 4; it last said: the end")


def test_half_a_line_at_the_end_is_a_crash(start):
    fails("crash", lambda: start("printf '3 4'").read_line(LONG), "exited with code 0")


def test_a_program_that_closes_its_output_has_crashed(start):
    fails("crash", lambda: start("sh -c 'exec >&-; sleep 60'").read_line(LONG), "has closed its output")


def test_a_megabyte_without_a_line_end_is_rubbish(start):
    program = start(python(f"import os, time; os.write(1, b'7' * {2**20}); time.sleep(60)"))
    fails("rubbish", lambda: program.read_line(LONG), "a line of more than 65,536 bytes")
    fails("rubbish", lambda: start(python(f"print('7' * {MAX_LINE + 1})")).read_line(LONG), "65,536")


def test_a_flood_is_rubbish_and_fills_no_memory(start):
    program = start("yes")
    with pytest.raises(AgentFailed) as caught:
        for _ in range(MAX_PENDING):
            program.read_line(LONG)
    assert caught.value.kind == "rubbish" and len(program._pending) < 2 * MAX_PENDING
    fails("rubbish", lambda: program.read_line(LONG))
    assert len(program._pending) < 2 * MAX_PENDING


def test_bytes_that_are_no_text_are_rubbish(start):
    fails("rubbish", lambda: start("printf '\\377\\376\\n'").read_line(LONG), "no text")


def test_a_memory_hog_is_stopped(start):
    hog = python("hog = [bytearray(2**20) for _ in range(100_000)]")
    fails("crash", lambda: start(hog, memory=200).read_line(LONG), "MemoryError")


def test_a_closed_program_says_so(start):
    program = start("cat")
    program.close()
    program.close()
    fails("crash", lambda: program.read_line(1), "has been ended")
    fails("crash", lambda: program.send("hello", 1), "has been ended")


CHILDREN = {
    "a child": "sleep 60 & echo $!; wait",
    "a child in a session of its own": "setsid sleep 60 & sleep 0.1; echo $!; wait",
    "a child that ignores SIGTERM": "(trap '' TERM HUP; sleep 60; sleep 60) & echo $!; wait",
    "an orphan in a session of its own": "(setsid sh -c 'echo $$; exec sleep 60' &); exec sleep 60",
}


@linux
@pytest.mark.parametrize("script", CHILDREN.values(), ids=CHILDREN)
def test_children_end_with_the_program(start, script):
    program = start(f"sh -c {shlex.quote(script)}")
    child = int(program.read_line(LONG))
    assert runs(child)
    program.close()
    assert not runs(child)


@linux
def test_children_end_when_the_program_does(start):
    program = start("sh -c 'setsid sleep 60 & echo $!; exit 0'")
    child = int(program.read_line(LONG))
    fails("crash", lambda: program.read_line(LONG), "exited with code 0")
    assert gone(child)


@linux
def test_children_that_go_on_forking_end_too(start, tmp_path):
    code = f"""
import os, time
print("go", flush=True)
end = time.monotonic() + 5
for _ in range(3):
    os.fork()
while time.monotonic() < end:  # eight lines of processes, each of which lives for some milliseconds
    if os.fork():
        time.sleep(0.005)
        os._exit(0)
    os.setsid()
    open({str(tmp_path / "last")!r}, "w").write(str(os.getpid()))
    time.sleep(0.005)
"""
    program = start(python(code))
    assert program.read_line(LONG) == "go"
    time.sleep(0.2)
    program.close()
    (tmp_path / "last").unlink(missing_ok=True)
    time.sleep(0.1)
    assert not (tmp_path / "last").exists()


@linux
def test_nothing_outlives_a_killed_ludus():
    code = """
from ludus.protocols.program import Program
program = Program("sh -c 'setsid sleep 60 & echo $!; echo $$; sleep 60'")
print(program.read_line(100), program.read_line(100), program.pid, flush=True)
program.read_line(60)
"""
    ludus = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    pids = [int(pid) for pid in ludus.stdout.readline().split()]
    assert len(pids) == 3 and all(runs(pid) for pid in pids)
    ludus.kill()
    ludus.wait()
    ludus.stdout.close()
    assert all(gone(pid) for pid in pids)


@linux
def test_a_program_ends_with_its_keeper(start):
    program = start("sh -c 'echo $$; exec sleep 60'")
    pid = int(program.read_line(LONG))
    os.kill(program.pid, signal.SIGKILL)
    assert gone(pid)
    fails("crash", lambda: program.read_line(LONG), "was ended by signal 9")


def test_a_program_that_signals_its_group_does_not_hit_its_keeper(start):
    program = start("sh -c 'trap : TERM; kill -TERM 0; sleep 0.2; echo fine; sleep 60'")
    assert program.read_line(LONG) == "fine" and program.alive


@linux
def test_a_forgotten_program_ends():
    program = Program("cat")
    pid = program.pid
    del program
    gc.collect()
    assert not runs(pid)


@linux
def test_ludus_leaves_nothing_when_it_exits():
    code = "from ludus.protocols.program import Program; p = Program('cat'); print(p.pid)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LONG)
    assert not runs(int(done.stdout)) and not done.stderr


def test_a_program_outlives_the_thread_that_started_it(start):
    programs = []
    thread = threading.Thread(target=lambda: programs.append(start("cat")))
    thread.start()
    thread.join()
    time.sleep(0.1)
    programs[0].send("still here", LONG)
    assert programs[0].read_line(LONG) == "still here"


def test_a_forked_worker_leaves_the_program_alone(start):
    program = start("cat")
    child = os.fork()
    if child == 0:
        program.close()
        os._exit(0)
    os.waitpid(child, 0)
    program.send("still here", LONG)
    assert program.read_line(LONG) == "still here"


def ask_in_a_worker(text):
    program = Program("cat")
    program.send(text, LONG)
    return program.read_line(LONG), program.pid


def test_programs_work_in_worker_processes():
    with ProcessPoolExecutor(1) as pool:
        text, pid = pool.submit(ask_in_a_worker, "hello").result(LONG)
    assert text == "hello"
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_what_a_program_says_to_its_standard_error_can_be_shown_at_once(start, capfd):
    code = "import sys; print('one', file=sys.stderr, flush=True); print('ready', flush=True); sys.stdin.read()"
    program = start(python(code), show_errors=True)
    assert program.read_line(LONG) == "ready"
    shown, end = "", time.monotonic() + LONG
    while not shown and time.monotonic() < end:
        shown = capfd.readouterr().err
    assert shown == "one\n"
    fails("crash", lambda: start(python("import sys; sys.exit('gone')"), show_errors=True).read_line(LONG), "code 1")
