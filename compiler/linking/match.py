"""Linking: a vertex and a fragment module in, the matched pair out.

First the declarations of both stages are compared (GLSL ES 1.00 sections 4.3.4, 4.3.5 and 4.6.4).  Then the
varyings become what really flows between the stages: those that one writes and the other reads, each with
its location.  What the vertex stage writes for nobody is removed; what nobody writes is undefined.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Set
from itertools import zip_longest

from glslc_multi.compiler.diagnostics import DiagnosticSink, Label, Span
from glslc_multi.compiler.diagnostics.catalogue import link as messages
from glslc_multi.compiler.diagnostics.model import Entry
from glslc_multi.compiler.diagnostics.suggest import nearest
from glslc_multi.compiler.ir.declarations import Declaration, Member, of_variable
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.ops import STORE
from glslc_multi.compiler.ir.prune import remove_read, remove_written
from glslc_multi.compiler.ir.variables import MACHINE, Storage, Variable
from glslc_multi.compiler.records import dataclass, replace

#: Built-in input of the fragment stage -> the vertex output whose invariance it needs.
_INVARIANCE_SOURCES = {"gl_FragCoord": "gl_Position", "gl_PointCoord": "gl_PointSize"}


@dataclass(frozen=True, slots=True)
class LinkedPair:
    """Two modules that fit: every varying of one is a varying of the other, at the same location."""

    vertex: Module
    fragment: Module

    def of_stage(self, stage: str) -> Module:
        """The module that a stage of a target is made from."""
        return self.fragment if stage == "fragment" else self.vertex


def link_modules(vertex: Module, fragment: Module, sink: DiagnosticSink) -> LinkedPair:
    """Match the two stages, changing both modules; raises `CompileError` where they do not fit."""
    if vertex.language != fragment.language:
        sink.report(messages.LANGUAGE_MISMATCH, language=vertex.language or fragment.language)
    _match_places(vertex, fragment)
    of_vertex, of_fragment = _declarations(vertex), _declarations(fragment)
    _check_varyings(of_vertex, of_fragment, sink)
    _check_inputs(of_vertex, of_fragment, sink)
    _check_uniforms(of_vertex, of_fragment, names_in_blocks(vertex) & names_in_blocks(fragment), sink)
    # GLSL ES 3.00 section 4.3.7: blocks of one name have the same members, laid out alike, in both stages.
    others = {block.name: block for block in vertex.blocks}
    for block in fragment.blocks:
        other = others.get(block.name)
        difference = None if other is None else block.difference(other)
        if difference:
            labels = _declared_here(other.span if other is not None else None)
            sink.report(messages.BLOCK_MISMATCH, block.span, labels=labels, name=block.name, difference=difference)
    _check_owners(vertex, fragment, sink)
    _check_owners(fragment, vertex, sink)
    _check_overlaps(vertex, "attribute", sink)
    _warn_of_unwritten(vertex, fragment, sink)
    sink.raise_if_errors()
    _share_defaults(vertex, fragment)
    # Keep only the varyings that the vertex stage writes and the fragment stage reads.
    written, read = _varyings(vertex), _varyings(fragment)
    remove_written(vertex, [variable for name, variable in written.items() if name not in read])
    remove_read(fragment, [variable for name, variable in read.items() if name not in written])
    _assign_locations(vertex, fragment, sink)
    sink.raise_if_errors()
    return LinkedPair(vertex, fragment)


def take_from_machine(fragment: Module, names: Collection[str]) -> None:
    """Varyings that the machine makes, whatever the vertex stage writes, are inputs of it."""
    for variable in _varyings(fragment).values():
        if variable.name in names:
            variable.storage, variable.role = "input", MACHINE
    fragment.declarations = [d for d in fragment.declarations if d.storage != "varying" or d.name not in names]


def _declarations(module: Module) -> dict[str, Declaration]:
    declarations = module.declarations or [of_variable(variable) for variable in module.interface()]
    return {declaration.name: declaration for declaration in declarations}


def _match_places(vertex: Module, fragment: Module) -> None:
    """Where the language matches stages by places, what the fragment stage reads gets the names of what is written."""
    written = {
        declaration.place: declaration.name for declaration in vertex.declarations if declaration.place is not None
    }
    names = {each.name: written.get(each.place, each.name) for each in fragment.declarations if each.place is not None}
    if all(name == new for name, new in names.items()):
        return
    # What nobody writes yields to a name that is taken.
    for each in fragment.declarations:
        if each.place is not None and each.place not in written and each.name in written.values():
            names[each.name] = f"{each.name}$unwritten"
    # Varyings other names; the leaves of a structure begin with its own.
    for variable in fragment.variables.values():
        whole = next((name for name in names if _is_leaf_of(variable.name, name)), None)
        if variable.storage == "varying" and whole is not None:
            variable.name = names[whole] + variable.name[len(whole) :]
    fragment.variables = {variable.name: variable for variable in fragment.variables.values()}
    fragment.declarations = [
        replace(declaration, name=names[declaration.name]) if declaration.place is not None else declaration
        for declaration in fragment.declarations
    ]


def _is_leaf_of(name: str, whole: str) -> bool:
    return name == whole or (name.startswith(whole) and name[len(whole)] in ".[")


# ------------------------------------------------------------------------------------ declarations
def _check_varyings(vertex: dict[str, Declaration], fragment: dict[str, Declaration], sink: DiagnosticSink) -> None:
    """Section 4.3.5: what the fragment stage uses is declared, and declared alike, in the vertex stage."""
    for varying in _of_storage(fragment, "varying"):
        other = vertex.get(varying.name)
        if other is None or other.storage != "varying":
            if varying.is_used:
                element, bracket, length = varying.type.partition("[")
                help_ = f"declare '{varying.keyword} {element} {varying.name}{bracket}{length};' in the vertex shader"
                # Those that the other stage writes for nobody, of the same type.
                free = [
                    each.name
                    for each in _of_storage(vertex, "varying")
                    if each.name not in fragment and each.shape == varying.shape
                ]
                meant = nearest(varying.name, free)
                labels = () if meant is None else _declared_here(vertex[meant].span)
                sink.report(
                    messages.VARYING_NOT_WRITTEN_BY_VERTEX_STAGE,
                    varying.span,
                    labels=labels,
                    help=help_ if meant is None else f"did you mean '{meant}'?",
                    name=varying.name,
                )
        elif other.shape != varying.shape:
            _report_type(messages.VARYING_TYPE_MISMATCH, varying, other, sink)
        elif other.interpolation != varying.interpolation:
            found, expected = varying.interpolation or "smooth", other.interpolation or "smooth"
            _report(messages.VARYING_INTERPOLATION_MISMATCH, varying, other, found, expected, sink)
        elif None not in (varying.invariant, other.invariant) and other.invariant != varying.invariant:
            found, expected = _invariance(varying), _invariance(other)
            _report(messages.VARYING_INVARIANCE_MISMATCH, varying, other, found, expected, sink)


def _warn_of_unwritten(vertex: Module, fragment: Module, sink: DiagnosticSink) -> None:
    """Section 4.3.5: what is read undefined because the vertex stage declares it and does not write it."""
    declared = _declarations(vertex)
    written = {i.address.variable.name for f in vertex.functions.values() for i in f.instructions() if i.op is STORE}
    for varying in _varyings(fragment).values():
        other = declared.get(varying.name)
        if other is not None and other.storage == "varying" and varying.name not in written:
            sink.report(
                messages.VARYING_NEVER_WRITTEN,
                varying.span,
                labels=_declared_here(other.span),
                name=varying.name,
                help=f"assign {varying.name} in the vertex shader",
            )


def _check_inputs(vertex: dict[str, Declaration], fragment: dict[str, Declaration], sink: DiagnosticSink) -> None:
    """Section 4.6.4: an invariant built-in input needs its source invariant."""
    for name, source in _INVARIANCE_SOURCES.items():
        input_ = fragment.get(name)
        if input_ is None or not input_.invariant:
            continue
        if source not in vertex or not vertex[source].invariant:
            help_ = f"add 'invariant {source};' to the vertex shader"
            sink.report(messages.INPUT_INVARIANCE_MISMATCH, input_.span, help=help_, name=name, source=source)


def _check_uniforms(
    vertex: dict[str, Declaration], fragment: dict[str, Declaration], in_blocks: Set[str], sink: DiagnosticSink
) -> None:
    """Section 4.3.4: uniforms that both stages use are one variable.  Precisions of members of blocks may differ: GLSL
    ES 3.20 section 9.2.1, which GLSL ES 3.00 section 4.3.7 is read by, too."""
    for uniform in _of_storage(fragment, "uniform"):
        other = vertex.get(uniform.name)
        if other is None or other.storage != "uniform" or not (uniform.is_used and other.is_used):
            continue
        if other.shape != uniform.shape:
            _report_type(messages.UNIFORM_TYPE_MISMATCH, uniform, other, sink)
            continue
        # A front end declares a block with an instance name as a whole, or each of its members.
        if uniform.name not in in_blocks and uniform.name.partition(".")[0].removesuffix("[]") not in in_blocks:
            _check_precision(uniform, other, sink)
        # GLSL 1.20 section 4.3.5: one stage may leave the initializer out, but two must be equal.
        if uniform.defaults and other.defaults and uniform.defaults != other.defaults:
            labels = _declared_here(other.span)
            sink.report(messages.UNIFORM_DEFAULT_MISMATCH, uniform.span, labels=labels, name=uniform.name)


def names_in_blocks(module: Module) -> set[str]:
    """Return the names of uniform blocks, and of the members of those without an instance name."""
    return {name for block in module.blocks for name in block.global_names or (block.name,)}


def _check_precision(uniform: Declaration, other: Declaration, sink: DiagnosticSink) -> None:
    for member, counterpart in zip(uniform.members, other.members, strict=True):
        if member.precision != counterpart.precision:
            found, expected = member.precision, counterpart.precision
            _report(messages.UNIFORM_PRECISION_MISMATCH, uniform, other, found, expected, sink, member)
            return


def _share_defaults(vertex: Module, fragment: Module) -> None:
    """What one stage says of a uniform's value holds for the other one, too."""
    defaults = {(d.name, d.shape): d.defaults for m in (vertex, fragment) for d in m.declarations if d.defaults}
    for module in (vertex, fragment) if defaults else ():
        module.declarations = [
            replace(d, defaults=defaults.get((d.name, d.shape), ())) if d.storage == "uniform" else d
            for d in module.declarations
        ]


def _check_owners(module: Module, other: Module, sink: DiagnosticSink) -> None:
    """What is a member of a block in one stage is a member of the same block in the other, if it is there at all."""
    owners = {name: block for block in other.blocks for name in block.global_names}
    in_blocks = {name: block.name for block in module.blocks for name in block.global_names}
    for declaration in module.declarations:
        name = declaration.name
        block = owners.get(name) if declaration.storage == "uniform" else None
        if block is not None and in_blocks.get(name) != block.name:
            labels = _declared_here(block.span)
            sink.report(messages.BLOCK_OWNER, declaration.span, labels=labels, name=name, block=block.name)


def _report(
    entry: Entry,
    declaration: Declaration,
    other: Declaration,
    found: str,
    expected: str,
    sink: DiagnosticSink,
    member: Member | None = None,
) -> None:
    name = declaration.name + (member.path if member is not None else "")
    labels = () if other.span is None else (Label(other.span, "in the vertex stage"),)
    sink.report(entry, declaration.span, labels=labels, name=name, found=found, expected=expected)


def _report_type(entry: Entry, declaration: Declaration, other: Declaration, sink: DiagnosticSink) -> None:
    """Name the first part whose type differs; or where names or numbers of members differ, the member."""
    pairs = zip_longest(declaration.members, other.members)
    member, counterpart = next(
        (m, c) for m, c in pairs if m is None or c is None or (m.path, m.type) != (c.path, c.type)
    )
    if member is not None and counterpart is not None and member.path == counterpart.path:
        _report(entry, declaration, other, member.type, counterpart.type, sink, member)
        return
    found, expected = _with_member(declaration, member), _with_member(other, counterpart)
    _report(entry, declaration, other, found, expected, sink)


def _with_member(declaration: Declaration, member: Member | None) -> str:
    return declaration.type if member is None else f"{declaration.type} with '{member.path.removeprefix('.')}'"


def _of_storage(declarations: dict[str, Declaration], storage: Storage) -> Iterator[Declaration]:
    return (declaration for declaration in declarations.values() if declaration.storage == storage)


def _invariance(declaration: Declaration) -> str:
    return "invariant" if declaration.invariant else "not invariant"


# --------------------------------------------------------------------------------------- varyings
def _varyings(module: Module) -> dict[str, Variable]:
    return {v.name: v for v in module.variables.values() if v.storage == "varying"}


def _assign_locations(vertex: Module, fragment: Module, sink: DiagnosticSink) -> None:
    """One location for each column of each element: pinned ones stay, the rest fills the gaps in declared order."""
    varyings = _varyings(vertex)
    for name, other in _varyings(fragment).items():
        _agree_on_location(varyings[name], other, sink)
        # Arrays that are as long as each stage uses them.
        varyings[name].dims = other.dims = max(varyings[name].dims, other.dims)
    taken = _check_overlaps(vertex, "varying", sink)
    for variable in varyings.values():
        if variable.location is None:
            size = _size(variable)
            start = 0
            while any(location in taken for location in range(start, start + size)):
                start += 1
            variable.location = start
            taken.update((location, variable) for location in _locations(variable))
    for name, other in _varyings(fragment).items():
        other.location = varyings[name].location


def _agree_on_location(variable: Variable, other: Variable, sink: DiagnosticSink) -> None:
    """A location pinned in one stage holds for both."""
    if None not in (variable.location, other.location) and variable.location != other.location:
        found, expected = other.location, variable.location
        labels = _declared_here(variable.span)
        sink.report(
            messages.LOCATION_MISMATCH, other.span, labels=labels, name=other.name, found=found, expected=expected
        )
    if variable.location is None:
        variable.location = other.location


def _check_overlaps(module: Module, storage: Storage, sink: DiagnosticSink) -> dict[int, Variable]:
    """Which variable has each pinned location; two variables at one location are an error."""
    taken: dict[int, Variable] = {}
    for variable in module.variables.values():
        if variable.storage != storage or variable.location is None:
            continue
        clash = next((location for location in _locations(variable) if location in taken), None)
        if clash is not None:
            other = taken[clash]
            sink.report(
                messages.LOCATION_OVERLAP,
                variable.span,
                labels=_declared_here(other.span),
                storage=storage,
                name=variable.name,
                other=other.name,
                location=clash,
            )
        taken.update((location, variable) for location in _locations(variable))
    return taken


def _declared_here(span: Span | None) -> Iterable[Label]:
    return () if span is None else (Label(span, "declared here"),)


def _locations(variable: Variable) -> range:
    start = variable.location or 0
    return range(start, start + _size(variable))


def _size(variable: Variable) -> int:
    return variable.length * variable.columns
