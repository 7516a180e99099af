"""The reference page `docs/isa/adreno.md`, made from the instruction tables.

`python -m backends.adreno.isa.document` writes it.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from backends.adreno.isa.instructions import A2XX
from backends.xenos_family.isa import document
from compiler.markdown import write_page

PAGE: Path = Path(__file__).resolve().parents[3] / "docs" / "isa" / "adreno.md"
page = partial(document.page, A2XX, "Adreno A2xx")

if __name__ == "__main__":
    write_page(PAGE, page())
