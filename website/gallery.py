"""The gallery: what shaders of `examples/shaders` draw, and the machine code of every target that they become.

In: pairs of shaders.  Out: pages and pictures, by name.  The pictures are drawn by the machine code itself, on the
simulators.
"""

from __future__ import annotations

import json
from base64 import b64decode

import glslc_multi
from glslc_multi.compiler.markdown import spaced_table
from glslc_multi.playground.session import answer
from website.gather import PROJECT

_SHADERS = PROJECT / "examples" / "shaders"
_EXAMPLES = ("02_vertex_color", "03_textured", "04_lambert", "06_alpha_test", "09_phong", "11_plasma")
_STAGES = {"vertex": ".vert", "fragment": ".frag"}
_SETTINGS = {"flags": "-O2", "mesh": "sphere", "size": 192}
#: Of the picture on the gallery's first page.
_SHOWN = "vc4"


def gallery_pages(has_pictures: bool) -> dict[str, bytes]:
    """Make the files of the gallery."""
    files: dict[str, bytes] = {}
    cards = []
    for name in _EXAMPLES:
        texts = {stage: (_SHADERS / f"{name}{suffix}").read_text(encoding="utf-8") for stage, suffix in _STAGES.items()}
        pictures = {target: _draw(texts, target) for target in glslc_multi.targets()} if has_pictures else {}
        files |= {f"{name}-{target}.png": data for target, data in pictures.items() if data}
        files[f"{name}.md"] = _page(name, texts, pictures).encode()
        picture = f"[![{_title(name)}]({name}-{_SHOWN}.png)]({name}.md)<br>" if has_pictures else ""
        cards.append(f"-   {picture}[{_title(name)}]({name}.md)  \n    {_about(texts)}\n")
    files["README.md"] = ("\n".join((_HEAD, '<div class="grid cards" markdown>\n', *cards, "</div>"))).encode()
    return files


_HEAD = """# Gallery

Pairs of shaders, what their machine code draws on the simulators, and the code itself, for all six machines. The
[playground](../docs/playground.md) has them too, to be changed.
"""


def _page(name: str, texts: dict[str, str], pictures: dict[str, bytes | None]) -> str:
    """Write the page of one example."""
    parts = [f"# {_title(name)}\n\n{_about(texts)}\n"]
    drawn = [target for target, data in pictures.items() if data]
    if drawn:
        row = tuple(f"![Drawn by {target}]({name}-{target}.png)" for target in drawn)
        parts.append(spaced_table(drawn, [row]))
        parts.append("\nA stage that a machine lacks, such as THEIA's vertices, runs as the source says.\n")
    parts.append("\n## Source\n")
    parts += (_tab(f"{name}{suffix}", f"```glsl\n{texts[stage]}```") for stage, suffix in _STAGES.items())
    parts.append("\n## Machine code\n")
    parts += (_tab(target, _code(texts, target)) for target in glslc_multi.targets())
    return "".join(parts)


def _code(texts: dict[str, str], target: str) -> str:
    """Show the assembly text of every stage, or why the target refuses the pair."""
    try:
        program = glslc_multi.link(
            texts["vertex"],
            texts["fragment"],
            target=target,
            vertex_filename="shader.vert",
            fragment_filename="shader.frag",
        )
    except glslc_multi.CompileError as error:
        return f"This pair does not fit:\n\n```text\n{str(error).rstrip()}\n```"
    return "\n\n".join(
        f"**{stage.capitalize()} stage**: {shader.stats.instructions} instructions\n\n"
        f"```text\n{shader.assembly.rstrip()}\n```"
        for stage, shader in program.stages.items()
    )


def _draw(texts: dict[str, str], target: str) -> bytes | None:
    """Draw the pair on a simulator; none if it does not fit."""
    shaders = {stage: {"stage": stage, "name": stage, "text": text, **_SETTINGS} for stage, text in texts.items()}
    drawn = json.loads(answer(json.dumps({"ask": "picture", "target": target, **_SETTINGS, **shaders})))
    return b64decode(drawn["picture"]) if "picture" in drawn else None


def _title(name: str) -> str:
    return name.partition("_")[2].replace("_", " ").capitalize()


def _about(texts: dict[str, str]) -> str:
    """Find the comment that says what a pair is."""
    return next(line.removeprefix("// ") for line in texts["vertex"].splitlines() if line.startswith("// "))


def _tab(title: str, text: str) -> str:
    """Write one of several tabs that stand beside each other."""
    indented = "\n".join(f"    {line}" if line else "" for line in text.splitlines())
    return f'\n=== "{title}"\n\n{indented}\n'
