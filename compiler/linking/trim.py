"""The second step of linking, when both stages are optimised: the vertex stage computes only what is read.

In: the matched modules after the passes.  Out: the `LinkedInterface` that both code generators get, and a vertex module
in which the components of varyings that the fragment stage never reads are undefined.
"""

from __future__ import annotations

from glslc_multi.compiler.analysis.demand import Demand, demand
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Instruction, Module
from glslc_multi.compiler.ir.prune import remove_written
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.options import LinkedInterface, LinkedVarying

#: Element and column of a varying -> mask of the components read.
_Reads = dict[tuple[int, int], int]


def linked_interface(fragment: Module) -> LinkedInterface:
    """What the fragment stage reads from the vertex stage."""
    reads = _reads(fragment)
    varyings = [variable for variable in fragment.variables.values() if variable.storage == "varying"]
    found = tuple(
        LinkedVarying(variable.name, element, column, component, is_int=variable.type.kind != "float")
        for variable in varyings
        for (element, column), mask in sorted(reads.get(variable, {}).items())
        for component in _components(mask)
    )
    coordinate = next((variable for variable in fragment.variables.values() if variable.role == "frag_coord"), None)
    mask = reads[coordinate].get((0, 0), 0) if coordinate in reads else 0
    samplers = tuple((v.name, v.length) for v in fragment.variables.values() if v.storage == "sampler")
    vectors = frozenset(
        v.name for v in varyings if v.type.kind == "float" and not (v.is_array or v.is_matrix or v.interpolation)
    )
    return LinkedInterface(found, tuple(_components(mask)), samplers, vectors)


def drop_unread(vertex: Module, interface: LinkedInterface) -> bool:
    """Make what nobody reads undefined; True when the module changed."""
    read: dict[str, _Reads] = {}
    for varying in interface.varyings:
        masks = read.setdefault(varying.name, {})
        key = (varying.element, varying.column)
        masks[key] = masks.get(key, 0) | 1 << varying.component
    varyings = [variable for variable in vertex.variables.values() if variable.storage == "varying"]
    unread = [variable for variable in varyings if variable.name not in read]
    remove_written(vertex, unread)
    changed = [_undefine(store, read) for store in _stores(vertex)]
    return bool(unread) or any(changed)


def _components(mask: int) -> list[int]:
    return [component for component in range(4) if mask >> component & 1]


def _reads(module: Module) -> dict[Variable, _Reads]:
    """The components read of every varying and built-in input, by element and column."""
    reads: dict[Variable, _Reads] = {}
    for function in module.functions.values():
        needs: Demand = AnalysisManager(function).get(demand)
        for load in function.instructions():
            if load.op is ops.LOAD and load.address.variable.storage in ("varying", "input"):
                _note(reads.setdefault(load.address.variable, {}), load, needs.of(load))
    return reads


def _note(masks: _Reads, load: Instruction, mask: int) -> None:
    """Add a load; an index that is not known may read every element, or column."""
    address = load.address
    elements = range(address.variable.length) if address.dynamic_index else (address.offset,)
    columns = range(address.variable.columns) if address.dynamic_column else (address.column,)
    for place in ((element, column) for element in elements for column in columns) if mask else ():
        masks[place] = masks.get(place, 0) | mask


def _stores(module: Module) -> list[Instruction]:
    """The stores to varyings at places that are known."""
    return [
        instruction
        for function in module.functions.values()
        for instruction in function.instructions()
        if instruction.op is ops.STORE
        and instruction.address.variable.storage == "varying"
        and not instruction.address.is_dynamic
    ]


def _undefine(store: Instruction, read: dict[str, _Reads]) -> bool:
    """Store undefined components where no one reads them."""
    address = store.address
    (value,) = store.operands
    mask = read[address.variable.name].get((address.offset, address.column), 0)
    unread = [component for component in range(value.type.width) if not mask >> component & 1]
    if len(unread) == value.type.width:
        store.set_operand(0, Constant.undef(value.type))
        return True
    builder = Builder.before(store)
    for component in unread:
        value = builder.insert(value, Constant.undef(value.type.scalar), component)
    store.set_operand(0, value)
    return bool(unread)
