"""The page that lists the licences of everything that the playground ships.

In: npm's packages that are in the bundle, Pyodide, and wheels.  Out: HTML with the texts, as far as packages have them.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from email.parser import Parser
from html import escape
from pathlib import Path

from glslc_multi.compiler.records import dataclass

#: Where Debian keeps the text that Pyodide's package lacks.
_MPL = Path("/usr/share/common-licenses/MPL-2.0")
_PYTHON = "the Python standard library inside is that of CPython, under the PSF License Agreement 2"


@dataclass(frozen=True, slots=True)
class Licence:
    """One thing that is shipped."""

    name: str
    version: str
    licence: str
    #: Where it comes from.
    home: str
    text: str = ""
    note: str = ""


def licences_page(web: Path, inputs: Iterable[str], wheels: Sequence[Path]) -> str:
    """The page."""
    modules = web / "node_modules"
    found = [_of_module(modules / name) for name in sorted(_bundled(inputs))]
    if wheels:
        found = [_of_pyodide(modules / "pyodide"), *map(_of_wheel, wheels), *found]
    sections = "".join(_section(each) for each in found)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Licences</title>'
        '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="main.css"></head>'
        '<body style="display:block;padding:1em;max-width:60em"><h1>What the playground ships</h1>'
        f"{sections}</body></html>\n"
    )


def licences_text(wheels: Sequence[Path]) -> str:
    """List the same of wheels alone, as a text."""
    parts = (
        f"{each.name} {each.version}: {each.licence}\n{each.home}\n\n{each.text}" for each in map(_of_wheel, wheels)
    )
    return f"\n{'=' * 80}\n".join(parts)


def _section(each: Licence) -> str:
    text = f"<details><summary>text</summary><pre>{escape(each.text)}</pre></details>" if each.text else ""
    home = f'<a href="{escape(each.home)}">{escape(each.home)}</a>' if each.home.startswith("https://") else ""
    note = f"; {escape(each.note)}" if each.note else ""
    return f"<h2>{escape(each.name)} {escape(each.version)}</h2><p>{escape(each.licence)}{note}. {home}</p>{text}\n"


def _bundled(inputs: Iterable[str]) -> set[str]:
    """The packages that files of the bundle come from."""
    found = (re.match(r"node_modules/((?:@[^/]+/)?[^/]+)/", name) for name in inputs)
    return {match[1] for match in found if match}


def _of_module(folder: Path) -> Licence:
    about = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    text = next(iter(_licence_files(folder)), "")
    repository = about.get("repository", "")
    home = repository.get("url", "") if isinstance(repository, dict) else repository
    home = re.sub(r"^(git\+)?(https://.*?)(\.git)?$", r"\2", home)
    return Licence(about["name"], about["version"], about["license"], about.get("homepage", home), text)


def _licence_files(folder: Path) -> Iterator[str]:
    for path in sorted(folder.iterdir()):
        if re.match("(?i)licen[cs]e", path.name):
            yield path.read_text(encoding="utf-8")


def _of_pyodide(folder: Path) -> Licence:
    licences = _of_module(folder)
    text = _MPL.read_text(encoding="utf-8") if _MPL.is_file() else ""
    return Licence(licences.name, licences.version, licences.licence, licences.home, text, f"unchanged; {_PYTHON}")


def _of_wheel(path: Path) -> Licence:
    with zipfile.ZipFile(path) as wheel:
        names = [name for name in wheel.namelist() if ".dist-info/" in name]
        about = Parser().parsestr(wheel.read(next(n for n in names if n.endswith("/METADATA"))).decode())
        text = next((wheel.read(n).decode() for n in names if re.search("(?i)/licen[cs]e[^/]*$", n)), "")
    urls = dict(url.split(", ", 1) for url in about.get_all("Project-URL", []))
    home = about["Home-page"] or next(iter(urls.values()), "")
    licence = about["License-Expression"] or next(
        (c.rpartition(" :: ")[2] for c in about.get_all("Classifier", []) if c.startswith("License ::")), "see the text"
    )
    return Licence(about["Name"], about["Version"], licence, home, text, "its modules are compiled, without docstrings")
