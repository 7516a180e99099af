"""A target's page in the documentation, `docs/targets/<name>.md`: what people wrote, then what its tables say.

Everything below the line `_MARK` is made anew: `python -m glslc_multi.report.target_page`, or `make docs`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.markdown import spaced_table, write_page

if TYPE_CHECKING:
    from glslc_multi.compiler.options import Option
    from glslc_multi.compiler.target import Target

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "targets"
INSTRUCTION_SETS = FOLDER.parent / "isa"
_MARK = "<!-- What follows is made from the target's tables by `make docs`. -->\n"

#: The smallest shader of each stage: what it leaves free are the limits.
_SMALLEST = {
    "vertex": "void main() { gl_Position = vec4(0.0); }",
    "coordinate": "void main() { gl_Position = vec4(0.0); }",
    "fragment": "void main() { gl_FragColor = vec4(0.0); }",
}


def limits_of(target: Target, stage: str) -> dict[str, int]:
    """The limits that the reflection of the smallest shader names; none where a stage has no smallest shader."""
    from glslc_multi.compiler.driver import compile_source
    from glslc_multi.compiler.options import Request
    from glslc_multi.frontends.registry import make_source

    if stage not in _SMALLEST:
        return {}
    try:
        artifact = compile_source(make_source(_SMALLEST[stage], stage, stage), target, Request(), DiagnosticSink())
    except CompileError:
        return {}
    return {name.replace("_", " "): limit for name, (_, limit) in (artifact.reflection.limits or {}).items()}


def page(target: Target, written: str) -> str:
    """The page with its second half made anew; `written` is the page as it is."""
    introduction, mark, _ = written.partition(_MARK)
    if not mark:
        introduction = written.rstrip("\n") + "\n\n"
    return introduction + _MARK + "".join(_facts(target))


def _facts(target: Target) -> Iterator[str]:
    beside = f" Names are in a register map beside it (`NAME{target.suffix}.json`)." if target.needs_map else ""
    others = "".join(f", of the {stage} stage `{suffix}`" for stage, suffix in target.suffixes.items())
    yield f"\n## Files\n\nA compiled shader is a file with the suffix `{target.suffix}`{others}.{beside}\n"
    limits = {stage: limits_of(target, stage) for stage in target.stages}
    names = dict.fromkeys(name for found in limits.values() for name in found)
    rows = [[name, *(str(limits[stage].get(name, "")) for stage in target.stages)] for name in names]
    yield "\n## Stages and limits\n\n" + spaced_table(("", *target.stages), rows).lstrip("\n")
    if target.options:
        yield "\n## Options\n"
        yield spaced_table(("option", "takes", "without it", "what it does"), map(_option, target.options))
    if target.host_forms:
        yield "\n## Host code\n\n`--emit host` writes sources and data that draw with a compiled program, "
        yield "in a form that `--host-form` names:\n"
        forms = ((f"`{form}`", about) for form, about in target.host_forms.items())
        yield spaced_table(("form", "what it is"), forms)
    yield f"\n## Further\n\n- [Instructions, their encoding, and the rules of the hardware](../isa/{target.name}.md)\n"
    yield f"- [How the back end works](../../backends/{target.name}/README.md)\n"


def _option(option: Option) -> tuple[str, str, str, str]:
    if isinstance(option.default, bool):
        name, takes, default = f"`{option.flag}`, `--no{option.flag[1:]}`", "", "on" if option.default else "off"
    else:
        name, takes, default = f"`{option.flag}`", option.expectation, str(option.default)
    return name, takes, default, option.help


def write_pages() -> None:
    """Renew the pages of all targets, and those of their instruction sets."""
    from glslc_multi.backends.registry import load_target, target_names

    for target in map(load_target, target_names()):
        path = FOLDER / f"{target.name}.md"
        path.write_text(page(target, path.read_text(encoding="utf-8")), encoding="utf-8")
        for name, text in target.instruction_sets().items():
            write_page(INSTRUCTION_SETS / f"{name}.md", text)


if __name__ == "__main__":
    write_pages()
