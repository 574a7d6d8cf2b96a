"""What the documentation site shows from outside `docs/`: the README and its like, notebooks, files that are linked to.

MkDocs calls the functions that begin with `on_`. A link in a page is written as it works in the repository; here it is
led to the page of the site that shows the same thing.
"""

from __future__ import annotations

import html
import json
import posixpath
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
PAGES = {  # pages of the site that lie elsewhere in the repository
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "core/README.md": "core.md",
    "benchmarks/README.md": "benchmarks.md",
}
LANGUAGES = {".py": "python", ".h": "cpp", ".cpp": "cpp", ".toml": "toml", ".json": "json", ".js": "js", ".yml": "yaml"}
FENCE = re.compile(r"^(```.*?^```)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(\]\()([^()\s]+)(\))")
FORMULA = re.compile(r"\$([^$`\n]+)\$")
SLOT = "<div data-output='{}'></div>"  # where an output of a notebook comes, which is HTML already

_origins: dict[str, str] = {}  # pages of the site, and the files of the repository that they show
_outputs: dict[str, list[str]] = {}  # of the notebooks, by page


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages that lie outside `docs/`."""
    _origins.clear()
    _outputs.clear()
    for origin, page in PAGES.items():
        add(files, config, page, origin, (ROOT / origin).read_text(encoding="utf-8"))
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        page = f"notebooks/{path.stem}.md"
        text, _outputs[page] = notebook(json.loads(path.read_text(encoding="utf-8")))
        add(files, config, page, f"notebooks/{path.name}", text)
    for file in files.documentation_pages():
        _origins.setdefault(file.src_uri, f"docs/{file.src_uri}")
    shown = set(_origins.values())
    for page in list(files.documentation_pages()):
        for origin in linked(page):
            if origin not in shown and not origin.startswith("docs/") and (ROOT / origin).is_file():
                shown.add(origin)
                add(files, config, f"files/{origin}.md", origin, source(origin))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Leads the links of a page to pages of the site."""
    places = {origin: site for site, origin in _origins.items()}
    here = page.file.src_uri

    def led(target: str) -> str:
        path, mark, anchor = target.partition("#")
        origin = resolved(here, path)
        place = places.get(origin, origin.removeprefix("docs/"))
        return posixpath.relpath(place, posixpath.dirname(here)) + mark + anchor

    return outside_fences(
        markdown, lambda text: LINK.sub(lambda m: m[1] + (led(m[2]) if local(m[2]) else m[2]) + m[3], text)
    )


def on_page_content(content: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Puts the outputs of a notebook where they belong."""
    for number, output in enumerate(_outputs.get(page.file.src_uri, [])):
        content = content.replace(SLOT.format(number), output)
    return content


def add(files: Files, config: MkDocsConfig, page: str, origin: str, text: str) -> None:
    """Adds a page to the site, whatever was there under its name."""
    files.append(File.generated(config, page, content=text))
    _origins[page] = origin


def source(origin: str) -> str:
    """The page that shows a file of the repository."""
    text = (ROOT / origin).read_text(encoding="utf-8")
    fence = "`" * 6
    return f"# {origin}\n\n{fence}{LANGUAGES.get(Path(origin).suffix, 'text')}\n{text}\n{fence}\n"


def local(target: str) -> bool:
    return not target.startswith(("#", "http:", "https:", "mailto:"))


def resolved(page: str, path: str) -> str:
    """The file of the repository that a link on a page leads to."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(_origins[page]), path))


def linked(file: File) -> Iterator[str]:
    """The files of the repository that a page links to."""
    for _, target, _ in LINK.findall(FENCE.sub("", file.content_string)):
        if local(target):
            yield resolved(file.src_uri, target.partition("#")[0])


def outside_fences(markdown: str, change: Callable[[str], str]) -> str:
    """Changes the text of a page, not its code."""
    parts = FENCE.split(markdown)
    return "".join(part if part.startswith("```") else change(part) for part in parts)


# ------------------------------------------------------------------------------------------------------ notebooks


def notebook(content: dict[str, Any]) -> tuple[str, list[str]]:
    """A notebook as Markdown, with slots for its outputs, and the outputs as HTML."""
    parts, outputs = [], []
    for cell in content["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(outside_fences(text, lambda prose: FORMULA.sub(lambda m: convert(m[1]), prose)))
        elif text.strip():
            parts.append(f"```python\n{text}\n```")
        for output in cell.get("outputs", []):
            parts.append(SLOT.format(len(outputs)))
            outputs.append(f"<div class='output'>{shown(output)}</div>")
    return "\n\n".join(parts) + "\n", outputs


def shown(output: dict[str, Any]) -> str:
    """An output of a cell as HTML: the richest form that it has."""
    if output["output_type"] == "error":
        raise ValueError(f"a notebook was kept with an error in it: {output['ename']}: {output['evalue']}")
    if output["output_type"] == "stream":
        return preformatted("".join(output["text"]))
    data = {kind: content if isinstance(content, str) else "".join(content) for kind, content in output["data"].items()}
    for kind in ("text/html", "image/svg+xml"):
        if kind in data:
            return data[kind]
    if "image/png" in data:
        return f"<img alt='' src='data:image/png;base64,{data['image/png'].strip()}'>"
    return preformatted(data["text/plain"])


def preformatted(text: str) -> str:
    return f"<pre>{html.escape(text.rstrip())}</pre>"
