"""The reference page `docs/isa/xenos.md`, made from the instruction tables.

`python -m backends.xenos.isa.document` writes it.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from backends.xenos.isa.instructions import XENOS
from backends.xenos_family.isa import document
from compiler.markdown import write_page

PAGE: Path = Path(__file__).resolve().parents[3] / "docs" / "isa" / "xenos.md"
page = partial(document.page, XENOS, "Xenos")

if __name__ == "__main__":
    write_page(PAGE, page())
