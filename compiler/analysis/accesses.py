"""Which functions load and store each variable.

In: a module.  Out: answers that stay true while it changes: a function is looked at again when it has changed since it
was last looked at, so that a pass over many functions does not look at all of them for each.
"""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Function, Instruction, Module
from glslc_multi.compiler.ir.variables import Variable

#: The loads and stores of a function, by variable, in block order.
_ByVariable = dict[Variable, list[Instruction]]


class Accesses:
    """The loads and stores of a module's variables."""

    __slots__ = ("_found", "_functions", "_module", "_seen")

    def __init__(self, module: Module) -> None:
        self._module = module
        self._found: dict[Function, _ByVariable] = {}
        #: Function -> its number of changes when it was looked at.
        self._seen: dict[Function, int] = {}
        #: Variable -> the functions that access it.
        self._functions: dict[Variable, set[Function]] = {}

    def private(self, function: Function) -> _ByVariable:
        """Local variables that no other function sees, each with its loads and stores.

        They are the function's own ones, which begin undefined with every call; `main`, which runs once, has
        the module's locals too.
        """
        candidates = list(function.variables.values())
        if function is self._module.main:
            candidates += [variable for variable in self._module.variables.values() if variable.storage == "local"]
        if not candidates:
            return {}
        self._update()
        found = self._found[function]
        return {
            variable: found.get(variable, [])
            for variable in candidates
            if self._functions.get(variable, set()) <= {function}
        }

    def is_loaded_elsewhere(self, variable: Variable, function: Function) -> bool:
        """Whether a function other than `function` loads the variable."""
        if len(self._module.functions) == 1:
            return False
        self._update()
        others = self._functions.get(variable, set()) - {function}
        return any(access.op is ops.LOAD for other in others for access in self._found[other][variable])

    def _update(self) -> None:
        functions = self._module.functions.values()
        for function in self._seen.keys() - set(functions):
            self._forget(function)
        for function in functions:
            if self._seen.get(function) != function.changes:
                self._forget(function)
                self._look_at(function)

    def _forget(self, function: Function) -> None:
        self._seen.pop(function, None)
        for variable in self._found.pop(function, ()):
            self._functions[variable].discard(function)

    def _look_at(self, function: Function) -> None:
        found: _ByVariable = {}
        for instruction in function.instructions():
            if instruction.op is ops.LOAD or instruction.op is ops.STORE:
                found.setdefault(instruction.address.variable, []).append(instruction)
        for variable in found:
            self._functions.setdefault(variable, set()).add(function)
        self._found[function], self._seen[function] = found, function.changes
