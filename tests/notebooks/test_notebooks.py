"""The notebooks run from start to end, and what is stored in them is what a run gives today."""

import base64
import contextlib
import importlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("ipykernel", reason="the notebooks need ipykernel, nbclient and nbformat")
nbformat = pytest.importorskip("nbformat", reason="the notebooks need ipykernel, nbclient and nbformat")
CellExecutionError = pytest.importorskip("nbclient.exceptions").CellExecutionError

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "notebooks"
BOOKS = sorted(FOLDER.glob("*.ipynb"))
UNWANTED = {
    "a traceback": r"Traceback \(most recent call last\)",
    "a warning": r"\b[A-Z]\w*Warning\b",
    "a path of a machine": r"(?<![\w.:/])/(?:home|Users|root|tmp|var|usr|opt|private)/|\b[A-Z]:\\\\?\w",
    "an address in memory": r"\bat 0x[0-9a-f]{6,}",
    "a path of this machine": "|".join(re.escape(str(path)) for path in (ROOT, Path.home()) if path != Path("/")),
}
every_notebook = pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)


@pytest.fixture(scope="module", autouse=True)
def _on_the_path():
    sys.path.insert(0, str(FOLDER))
    yield
    sys.path.remove(str(FOLDER))


def run():
    return importlib.import_module("run")


def stale(path):
    """What differs between the stored outputs and a fresh run, with what to do about it; empty if nothing does."""
    stored = nbformat.read(path, as_version=4)
    found = list(importlib.import_module("compare").changes(stored, run().execute(path)))
    return "\n".join([*found, f"renew the outputs: python notebooks/run.py {path.stem}"]) if found else ""


def flaws(path):
    """What must not be in a stored notebook, but is."""
    book = nbformat.read(path, as_version=4)
    cells = [cell for cell in book.cells if cell.cell_type == "code"]
    if path.stat().st_size >= 1_500_000:
        yield f"{path.stat().st_size:,} bytes are too many"
    if [cell.execution_count for cell in cells] != list(range(1, len(cells) + 1)):
        yield "the cells were not run once each in their order"
    for number, cell in enumerate(cells, 1):
        yield from (f"code cell {number} has {flaw}" for output in cell.outputs for flaw in flaws_of(output))


def flaws_of(output):
    if output.output_type == "error":
        yield "an error"
    if output.get("name") == "stderr":
        yield "an output on stderr"
    forms = output.get("data", {"text": output.get("text", "")})
    text = "\n".join(str(value) for form, value in forms.items() if form != "image/png")
    yield from (what for what, pattern in UNWANTED.items() if re.search(pattern, text))


@every_notebook
def test_a_notebook_runs_and_gives_what_is_stored(path, tmp_path):
    before = path.read_bytes()
    copy = shutil.copytree(FOLDER, tmp_path / "notebooks")
    message = stale(copy / path.name)
    assert message == "", message
    assert path.read_bytes() == before


@every_notebook
def test_stored_outputs_are_fit_to_be_read(path):
    assert not list(flaws(path))


@every_notebook
def test_a_notebook_is_introduced_and_explained(path):
    cells = nbformat.read(path, as_version=4).cells
    assert cells[0].cell_type == "markdown" and cells[0].source.startswith("# ")
    assert sum(cell.cell_type == "markdown" for cell in cells) >= 5


# ------------------------------------------------------------------------- the checks themselves, on a small notebook

PICTURE = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + (64).to_bytes(4) + (48).to_bytes(4)).decode()
CELLS = [
    "import os, time\nnumber = 6",
    "print('six times seven')\nprint(number * 7)",
    "{'letters': set('abcdefgh')}",
    "time.perf_counter()",
    "import matplotlib.pyplot as plt\nplt.plot([1, 2]);",
]


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A notebook that was just run, in a folder of its own."""
    path = tmp_path_factory.mktemp("books") / "0-small.ipynb"
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in CELLS])
    book.cells[3].metadata.tags = ["varies"]
    nbformat.write(book, path)
    nbformat.write(run().execute(path), path)
    return path


def edited(small, tmp_path, edit):
    """A copy of the small notebook, changed by a function."""
    path = tmp_path / small.name
    book = nbformat.read(small, as_version=4)
    edit(book.cells)
    nbformat.write(book, path)
    return path


def test_an_unchanged_notebook_is_not_stale(small):
    assert stale(small) == "" and not list(flaws(small))


def test_a_second_run_gives_the_same_bytes_but_for_what_varies(small):
    first, second = nbformat.read(small, as_version=4), run().execute(small)
    for book in (first, second):
        book.cells[3].outputs = []
    assert nbformat.writes(first) == nbformat.writes(second)


@pytest.mark.parametrize(
    ("cell", "source"), [(0, "import os, time\nnumber = 8"), (1, "print(42)"), (3, "time.time()  # of the day")]
)
def test_changed_code_without_new_outputs_is_stale(small, tmp_path, cell, source):
    def edit(cells):
        cells[cell].source = source

    message = stale(edited(small, tmp_path, edit))
    assert "the code was changed" in message and "python notebooks/run.py 0-small" in message
    assert ("code cell 2" in message) == (cell < 2)  # its own output, or that of the cell whose number changed


def test_an_output_that_a_run_no_longer_gives_is_stale(small, tmp_path):
    def edit(cells):
        cells[1].outputs[0].text = "six times seven\n41\n"

    assert "code cell 2 (print('six times seven')) gives other outputs" in stale(edited(small, tmp_path, edit))


def test_a_cell_that_varies_still_has_an_output(small, tmp_path):
    def edit(cells):
        cells[3].outputs = []

    assert "code cell 4 (time.perf_counter()) has outputs of other kinds" in stale(edited(small, tmp_path, edit))


def test_an_image_of_another_size_is_stale(small, tmp_path):
    def edit(cells):
        cells[4].outputs[-1].data["image/png"] = PICTURE

    assert "code cell 5" in stale(edited(small, tmp_path, edit))


@pytest.mark.skipif(os.name == "nt", reason="asks after a process as Unix does")
@pytest.mark.parametrize("last", ["pass", "1 / 0"])
def test_the_kernel_ends_with_the_run(small, tmp_path, last):
    def edit(cells):
        del cells[2:]
        cells[0].source = f"import os\nprint(open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid())))"
        cells[1].source = last

    with contextlib.suppress(CellExecutionError):
        run().execute(edited(small, tmp_path, edit))
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_a_cell_that_fails_is_named_with_its_error(small, tmp_path):
    def edit(cells):
        cells[1].source = "1 / 0"

    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        run().execute(edited(small, tmp_path, edit))


@pytest.mark.parametrize(
    ("text", "flaw"),
    [
        ("see /home/ann/books/x.png", "a path of a machine"),
        ("C:\\Users\\ann", "a path of a machine"),
        (f"in {ROOT}/notebooks", "a path of this machine"),
        ("x.py:3: DeprecationWarning: old", "a warning"),
        ("Traceback (most recent call last):", "a traceback"),
        ("<Node object at 0x7f12ab34cd56>", "an address in memory"),
    ],
)
def test_unwanted_words_are_found_in_outputs(text, flaw):
    assert flaw in flaws_of(nbformat.v4.new_output("stream", text=text))
    assert flaw in flaws_of(nbformat.v4.new_output("execute_result", data={"text/plain": text}))


def test_outputs_on_stderr_and_errors_are_found():
    assert "an output on stderr" in flaws_of(nbformat.v4.new_output("stream", name="stderr", text="hm"))
    assert "an error" in flaws_of(nbformat.v4.new_output("error", ename="E", evalue="e", traceback=[]))


def test_cells_run_out_of_order_are_found(small, tmp_path):
    def edit(cells):
        cells[0].execution_count = 7

    assert "the cells were not run once each in their order" in list(flaws(edited(small, tmp_path, edit)))


def test_the_command_writes_checks_and_refuses(small, tmp_path):
    """On a copy of the folder's two files beside a small notebook, as somebody would type it."""
    for name in ("run.py", "compare.py"):
        shutil.copy(FOLDER / name, tmp_path)

    def edit(cells):
        cells[1].source = "print(number + 1)"

    path = edited(small, tmp_path, edit)

    def command(*arguments):
        done = subprocess.run([sys.executable, tmp_path / "run.py", *arguments], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    code, said = command("--check")
    assert code == 1 and "0-small: 5 code cells in" in said and "stale" in said
    code, said = command("0")
    assert code == 0 and "written" in said and "7\n" in nbformat.read(path, as_version=4).cells[1].outputs[0].text
    code, said = command("0-small", "--check")
    assert code == 0 and "as stored" in said
    code, said = command("9")
    assert code == 1 and "there is no notebook '9'; there are: 0-small" in said
