"""Rules about variables: each field makes sense for the storage the variable has."""

from __future__ import annotations

from collections.abc import Iterable

from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.text import symbol
from glslc_multi.compiler.ir.types import VOID
from glslc_multi.compiler.ir.variables import PRECISIONS, ROLES, STORAGES, Stage, Variable
from glslc_multi.compiler.ir.verify.rules import Faults

#: Storages whose variables the rasteriser or the vertex fetch handles, which know no bools.
_NUMBER_STORAGES = ("attribute", "varying", "output")
_INVARIANT_STORAGES = ("varying", "input", "output")
#: Kind of a variable -> the kinds that lowerings make it from.  Plain samplers they make from shadow ones, too.
_SOURCE_KINDS = {"float": ("bool", "int", "uint"), "int": ("uint",), "sampler2D": ("sampler1D", "sampler1DShadow")}


def check_variables(module: Module, faults: Faults) -> None:
    seen: set[str] = set()
    for name, variable in module.variables.items():
        _check_name(name, variable, seen, faults)
        _check_variable(variable, module.stage, faults)
    for function in module.functions.values():
        faults.look_at(function)
        for name, variable in function.variables.items():
            _check_name(name, variable, seen, faults)
            if variable.storage != "local":
                faults.add("storage", f"{symbol(variable.name)} is {variable.storage}, a function owns local ones only")
            _check_variable(variable, module.stage, faults)
    faults.look_at(None)


def _check_name(listed_as: str, variable: Variable, seen: set[str], faults: Faults) -> None:
    if listed_as != variable.name:
        faults.add("names", f"variable {symbol(variable.name)} is listed as {symbol(listed_as)}")
    if listed_as in seen:
        faults.add("names", f"there are two variables {symbol(listed_as)}")
    seen.add(listed_as)


def _check_variable(variable: Variable, stage: Stage, faults: Faults) -> None:
    for rule, message in (*_shape_faults(variable), *_field_faults(variable, stage)):
        faults.add(rule, f"{symbol(variable.name)} {message}")


def _shape_faults(variable: Variable) -> Iterable[tuple[str, str]]:
    type, columns, storage = variable.type, variable.columns, variable.storage
    if type is VOID or type.is_sampler != (storage == "sampler"):
        yield "variable-type", f"is {storage} of type {type}"
    elif storage in _NUMBER_STORAGES and type.kind == "bool":
        yield "interface-type", f"is {storage} of type {type}, must be float or int"
    if not 1 <= columns <= 4:
        yield "matrix", f"has {columns} columns"
    elif columns > 1 and (type.kind != "float" or type.is_scalar):
        yield "matrix", f"has {columns} columns of type {type}"
    if any(not isinstance(dim, int) or dim < 1 for dim in variable.dims):
        yield "dims", f"has dimensions {list(variable.dims)}"


def _field_faults(variable: Variable, stage: Stage) -> Iterable[tuple[str, str]]:
    storage, location, role = variable.storage, variable.location, variable.role
    if storage not in STORAGES:
        yield "storage", f"has the unknown storage '{storage}'"
    if storage == "attribute" and stage != "vertex":
        yield "storage-stage", f"is an attribute in a {stage} shader"
    if location is not None and (location < 0 or storage == "local"):
        yield "location", f"is {storage} at location {location}"
    if role and (role not in ROLES or storage == "local"):
        yield "role", f"is {storage} with role '{role}'"
    if variable.source_kind is not None and not _may_be_converted(variable):
        yield "source-kind", f"is {storage} of type {variable.type} from '{variable.source_kind}'"
    is_square = variable.is_matrix and variable.columns == variable.type.width
    if variable.layout == "rows" and not (storage == "uniform" and is_square):
        yield "layout", "is laid out in rows, but is no square matrix uniform"
    if variable.precision and variable.precision not in PRECISIONS:
        yield "precision", f"has the unknown precision '{variable.precision}'"
    if variable.invariant and storage not in _INVARIANT_STORAGES:
        yield "invariant", f"is {storage}, cannot be invariant"


def _may_be_converted(variable: Variable) -> bool:
    kind, source = variable.type.kind, variable.source_kind
    return variable.storage != "local" and (source in _SOURCE_KINDS.get(kind, ()) or source == f"{kind}Shadow")
