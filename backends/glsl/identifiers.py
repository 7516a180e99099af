"""Names that are no identifiers, as modules of other languages have them, become identifiers.

In: a module.  Out: the same, in which a member of a varying, `i.uv`, is a variable `i_uv`.  Members of blocks keep
their names, since the text has their blocks.
"""

from __future__ import annotations

import re

from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.records import replace

_WORD = re.compile(r"[A-Za-z_]\w*")
_FIRST = re.compile(r"[A-Za-z_]\w*(?=\.|\[|$)")


def name_by_identifiers(module: Module) -> None:
    """Rename variables and declarations in place."""
    blocks = {block.name.partition("[")[0] for block in module.blocks}
    taken = {word for name in module.variables if _FIRST.match(name) for word in _WORD.findall(name)}
    declared = {declaration.name: number for number, declaration in enumerate(module.declarations)}
    # Variables may have no declaration, as in modules that no front end has made.
    roots = [*declared, *(v.name for v in module.variables.values() if _FIRST.match(v.name) is None)]
    for old in dict.fromkeys(roots):
        if _WORD.fullmatch(old) or old.startswith("gl_") or old.partition(".")[0] in blocks:
            continue
        new = "_".join(_WORD.findall(old)).replace("__", "_") or "v"
        while new in taken:
            new += "_"
        taken.add(new)
        if old in declared:
            module.declarations[declared[old]] = replace(module.declarations[declared[old]], name=new)
        for variable in list(module.variables.values()):
            rest = variable.name.removeprefix(old)
            if variable.name.startswith(old) and rest[:1] in ("", ".", "["):
                del module.variables[variable.name]
                variable.name = new + rest
                module.variables[variable.name] = variable
