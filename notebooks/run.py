"""Runs the notebooks of this folder from start to end and keeps their outputs.

    python notebooks/run.py [NAMES] [--check]

Every run happens in a copy of the folder, in the running Python, with fixed hashes, one thread and fixed figures, so
that a second run gives the same outputs. Cells whose outputs cannot be the same (seconds, say) have the tag "varies".
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from compare import changes, code_cells, code_mark

try:
    import ipykernel  # noqa: F401  (the kernel's process needs it)
    import nbformat
    from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
    from jupyter_client.manager import AsyncKernelManager
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError
except ImportError as error:
    sys.exit(f"running notebooks needs ipykernel, nbclient and nbformat: pip install '.[notebooks]' ({error})")

COLORS = re.compile(r"\x1b\[[0-9;]*m")
FOLDER = Path(__file__).resolve().parent
THREADS = ("OMP", "MKL", "OPENBLAS", "NUMEXPR", "VECLIB_MAXIMUM")
FIGURES = "figure.figsize: 7, 4\nfigure.dpi: 80\nsvg.hashsalt: ludus\nfont.family: DejaVu Sans\n"
LIMITS = {"timeout": 600, "startup_timeout": 300, "iopub_timeout": 120}  # seconds; a busy machine may need many
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


class ThisPython(KernelSpecManager):
    """Knows one kernel, the Python that runs this file; whatever else is installed on the machine is not asked."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        return KernelSpec(argv=argv, display_name="Python 3", language="python")


def environment(desk: Path) -> dict[str, str]:
    """The variables of the kernel's process. Nobody's own settings of IPython or Matplotlib take part."""
    rc = desk / "matplotlibrc"
    rc.write_text(FIGURES, encoding="utf-8")
    fixed = {"PYTHONHASHSEED": "0", "MPLBACKEND": "module://matplotlib_inline.backend_inline", "MATPLOTLIBRC": str(rc)}
    threads = {f"{name}_NUM_THREADS": "1" for name in THREADS}
    quiet = {"IPYTHONDIR": str(desk / "ipython"), "PYDEVD_DISABLE_FILE_VALIDATION": "1", "COLUMNS": "100"}
    return {**os.environ, **fixed, **threads, **quiet}


def execute(path: Path, show: bool = False) -> Any:
    """The notebook of a file with the outputs of a fresh run. Raises CellExecutionError where a cell fails."""
    book = nbformat.read(path, as_version=4)
    code = [index for index, cell in enumerate(book.cells) if cell.cell_type == "code"]

    def tell(cell: Any, cell_index: int) -> None:
        print(f"\r{path.stem}: cell {code.index(cell_index) + 1} of {len(code)} ", end="", flush=True)

    with tempfile.TemporaryDirectory(prefix="nb") as name:
        desk = Path(name)
        here = shutil.copytree(path.parent, desk / "notebooks")
        channel = {} if os.name == "nt" else {"transport": "ipc"}  # files, where ports could be taken by another
        kernel = AsyncKernelManager(
            kernel_name="python3",
            kernel_spec_manager=ThisPython(),
            connection_file=str(desk / "kernel.json"),
            **channel,
        )
        where = {"metadata": {"path": str(here)}}
        hook = {"on_cell_execute": tell} if show else {}
        client = NotebookClient(book, km=kernel, record_timing=False, resources=where, **LIMITS, **hook)
        client.execute(env=environment(desk), cleanup_kc=True)
    return tidy(book)


def tidy(book: Any) -> Any:
    """The notebook without what differs from run to run, with the mark of the code that was run."""
    book.metadata = nbformat.from_dict(METADATA | {"ludus": {"code": code_mark(book)}})
    for cell in code_cells(book):
        cell.metadata = nbformat.from_dict({key: cell.metadata[key] for key in ("tags",) if key in cell.metadata})
        whole: list[Any] = []
        for output in cell.outputs:  # prints arrive in pieces
            if whole and output.output_type == "stream" == whole[-1].output_type and output.name == whole[-1].name:
                whole[-1].text += output.text
            else:
                whole.append(output)
        cell.outputs = whole
    return book


# ------------------------------------------------------------------------------------------------- the command


def renew(path: Path, check: bool) -> bool:
    """Runs a notebook, writes or compares its outputs, and says so. False if a cell failed or the outputs are stale."""
    began = time.perf_counter()
    try:
        fresh = execute(path, show=sys.stdout.isatty())
    except CellExecutionError as error:
        print(f"\r{path.stem}: a cell failed\n{COLORS.sub('', str(error))}")
        return False
    stale = "; ".join(changes(nbformat.read(path, as_version=4), fresh)) if check else ""
    if not check:
        nbformat.write(fresh, path)
    done = f"stale: {stale}" if stale else "as stored" if check else "written"
    print(f"\r{path.stem}: {len(code_cells(fresh))} code cells in {time.perf_counter() - began:.1f} s, {done}")
    return not stale


def find(names: list[str]) -> list[Path]:
    """The notebooks with these names, which may be shortened to their numbers; all, if none is named."""
    there = {path.stem: path for path in sorted(FOLDER.glob("*.ipynb"))}
    short = {stem.partition("-")[0]: path for stem, path in there.items()}
    for name in names:
        if name.removesuffix(".ipynb") not in there | short:
            sys.exit(f"there is no notebook {name!r}; there are: {', '.join(there)}")
    return [(there | short)[name.removesuffix(".ipynb")] for name in names or there]


def main() -> None:
    parser = argparse.ArgumentParser(description="Runs the notebooks of this folder and keeps their outputs.")
    parser.add_argument("names", nargs="*", help="which notebooks, such as 3 or 3-connect-four (all, if none is named)")
    parser.add_argument("--check", action="store_true", help="write nothing; say what is stale")
    options = parser.parse_args()
    fine = [renew(path, options.check) for path in find(options.names)]
    sys.exit(not all(fine))


if __name__ == "__main__":
    main()
