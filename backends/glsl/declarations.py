"""What stands above `main`: version, extensions, precisions, structures, blocks and variables."""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.backends.glsl.dialects import Dialect
from glslc_multi.backends.glsl.initial_values import has_initial_values, initializer
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.blocks import UniformBlock
from glslc_multi.compiler.ir.declarations import Declaration, Member, of_variable
from glslc_multi.compiler.ir.module import RELAXED, Module
from glslc_multi.compiler.ir.primitive import read_primitive
from glslc_multi.compiler.ir.variables import Precision, Variable

#: Kinds of samplers that have a precision of their own accord.
_PRECISE_SAMPLERS = ("sampler2D", "samplerCube", "samplerExternal")


class Declarations:
    """Writes the declarations of a module."""

    def __init__(self, module: Module, dialect: Dialect) -> None:
        self._module = module
        self._dialect = dialect
        self._declared = {declaration.name: declaration for declaration in module.declarations}
        #: Names of variables, or first parts of them -> names of the text.
        self.renamed: dict[str, str] = {}
        self._structures: dict[str, list[Member]] = {}
        self._outputs: list[str] = []
        for variable in module.variables.values():
            if variable.storage == "output" and module.stage == "fragment":
                self._name_colour(variable)

    @property
    def taken(self) -> set[str]:
        """Names that the text has beside those of variables."""
        types = {member.type.partition("[")[0] for d in self._declared.values() for member in d.members}
        return {*types, *self._declared, *(block.name.partition("[")[0] for block in self._module.blocks)}

    def lines(self) -> Iterator[str]:
        """List the lines."""
        yield f"#version {self._dialect.version}"
        yield from self._extensions()
        if self._dialect.is_es:
            yield from self._precisions()
        yield from (f"#pragma {pragma}" for pragma in self._module.pragmas if read_primitive(pragma) is not None)
        body = [*self._blocks(), *self._variables()]
        for name, members in self._structures.items():
            yield f"struct {name} {{"
            yield from (f"    {self._typed(member.type, member.path, member.precision)};" for member in members)
            yield "};"
        yield from body
        yield from self._outputs

    # ------------------------------------------------------------------------------------------ head
    def _extensions(self) -> Iterator[str]:
        if self._dialect.is_modern:
            return
        instructions = [i for f in self._module.functions.values() for i in f.instructions()]
        used = {i.op for i in instructions}
        modes = {i.attribute.mode for i in instructions if i.op is ops.TEXTURE}
        if self._dialect.is_es:
            if used & {ops.DDX, ops.DDY}:
                yield "#extension GL_OES_standard_derivatives : enable"
            if "grad" in modes or ("lod" in modes and self._module.stage == "fragment"):
                yield "#extension GL_EXT_shader_texture_lod : enable"
            colours = [v for v in self._module.variables.values() if v.role in ("frag_color", "frag_data")]
            if len(colours) > 1 or any(v.length > 1 for v in colours):
                yield "#extension GL_EXT_draw_buffers : require"
            if any(v.role == "frag_depth" for v in self._module.variables.values()):
                yield "#extension GL_EXT_frag_depth : enable"
        elif modes & {"grad", "lod"}:
            yield "#extension GL_ARB_shader_texture_lod : enable"

    def _precisions(self) -> Iterator[str]:
        """State the precisions of a fragment shader: highp, unless all of its numbers are of less."""
        instructions = [i for f in self._module.functions.values() for i in f.instructions()]
        computed = [i for i in instructions if i.type.width and i.type.kind == "float" and i.op.component is not None]
        is_relaxed = all(i.flags & RELAXED for i in computed)
        if self._module.stage == "fragment":
            yield f"precision {'mediump' if is_relaxed else 'highp'} float;"
            yield "precision highp int;"
        for name in dict.fromkeys(v.type.kind for v in self._module.variables.values() if v.storage == "sampler"):
            if name not in _PRECISE_SAMPLERS:
                yield f"precision mediump {name};"

    # ----------------------------------------------------------------------------------- declarations
    def _used(self) -> list[Variable]:
        """List the variables of the interface that the text needs; but of pixels, all varyings are."""
        used: dict[Variable, None] = {}
        for i in self._module.main.instructions():
            if i.op in (ops.LOAD, ops.STORE):
                used[i.address.variable] = None
            elif i.op in (ops.TEXTURE, ops.TEXTURE_SIZE):
                used[i.attribute.address.variable] = None
        is_sent = self._module.stage != "fragment"
        return [
            variable
            for variable in self._module.variables.values()
            if variable.storage != "local" and (variable in used or (is_sent and variable.storage == "varying"))
        ]

    def _roots(self) -> dict[str, list[Variable]]:
        """Variables of the interface that the language does not have, by the first part of their names."""
        roots: dict[str, list[Variable]] = {}
        in_blocks = {
            name for block in self._module.blocks for name in (*block.global_names, block.name.partition("[")[0])
        }
        for variable in self._used():
            name = variable.name.partition(".")[0].partition("[")[0]
            if not name.startswith("gl_") and name not in in_blocks and variable.name not in self.renamed:
                roots.setdefault(name, []).append(variable)
        return roots

    def _variables(self) -> Iterator[str]:
        for name, variables in self._roots().items():
            first = variables[0]
            declaration = self._declared.get(name)
            if declaration is None:
                declaration = of_variable(first)
            for member in declaration.members:
                self._note_structure(declaration, member)
            precision = _precision_of(declaration, declaration.members[0])
            value = f" = {initializer(declaration)}" if has_initial_values(declaration) else ""
            yield f"{self._qualifiers(first, declaration)}{self._typed(declaration.type, name, precision)}{value};"
        for variable in self._used():
            if variable.invariant and variable.name.startswith("gl_"):
                yield f"invariant {variable.name};"

    def _note_structure(self, declaration: Declaration, member: Member) -> None:
        """Note the members of a structure, whose types follow its own in the list."""
        prefix = f"{member.path}."
        fields = [
            Member(other.path.removeprefix(prefix), other.type, _precision_of(declaration, other))
            for other in declaration.members
            if other.path.startswith(prefix) and other.path.removeprefix(prefix).isidentifier()
        ]
        if fields:
            # Inner ones come first.
            for other in declaration.members:
                if other.path.startswith(prefix) and other is not member:
                    self._note_structure(declaration, other)
            self._structures.setdefault(member.type, fields)

    def _qualifiers(self, variable: Variable, declaration: Declaration) -> str:
        stage, modern = self._module.stage, self._dialect.is_modern
        words = []
        # Before ES 3.00 both stages say it.
        if variable.storage == "varying" and variable.invariant and not (modern and stage == "fragment"):
            words.append("invariant")
        has_place = variable.location is not None and modern
        if has_place and (variable.storage == "attribute" or (variable.storage == "output" and stage == "fragment")):
            words.append(f"layout(location = {variable.location})")
        if variable.storage == "varying" and variable.interpolation:
            words.append(variable.interpolation)
        if declaration.is_centroid:
            words.append("centroid")
        if variable.storage in ("attribute", "input"):
            words.append("in" if modern else "attribute")
        elif variable.storage == "varying":
            words.append(("in" if stage == "fragment" else "out") if modern else "varying")
        elif variable.storage in ("uniform", "sampler"):
            words.append("uniform")
        else:
            words.append("out")
        return "".join(f"{word} " for word in words)

    def _typed(self, type_: str, name: str, precision: str) -> str:
        base, bracket, length = type_.partition("[")
        has_precision = self._dialect.is_es and precision and not base.startswith("b")
        spelled = "samplerExternalOES" if base == "samplerExternal" else base
        return f"{precision + ' ' if has_precision else ''}{spelled} {name}{bracket}{length}"

    def _blocks(self) -> Iterator[str]:
        for block in self._module.blocks:
            name = block.name.partition("[")[0]
            # Blocks of other languages lie as std140 says, or are refused when the text has been read back.
            packing = {"shared": "", "packed": "layout(packed) "}.get(block.packing, "layout(std140) ")
            yield f"{packing}uniform {name} {{"
            for field in self._fields(block):
                has_rows = any(m.row_major and _is_part(m.name, field.path, name) for m in block.members)
                rows = "layout(row_major) " if has_rows else ""
                yield f"    {rows}{self._typed(field.type, field.path, field.precision)};"
            if block.global_names:
                yield "};"
                continue
            self.renamed.setdefault(name, f"{name[0].lower()}{name[1:]}_")
            whole = self._declared.get(name)
            dims = whole.type.partition("[") if whole is not None else ("", "", "")
            yield f"}} {self.renamed[name]}{dims[1]}{dims[2]};"

    def _fields(self, block: UniformBlock) -> list[Member]:
        """List the members of a block: declared with it, or alone, as in modules of other languages."""
        name = block.name.partition("[")[0]
        whole = self._declared.get(name)
        if whole is not None and not block.global_names:
            for member in whole.members:
                self._note_structure(whole, member)
            return self._structures.pop(name, [])
        names = block.global_names or [each for each in self._declared if each.startswith(f"{name}.")]
        fields = []
        for own in (self._declared[each] for each in names):
            for member in own.members:
                self._note_structure(own, member)
            fields.append(Member(own.name.removeprefix(f"{name}."), own.type, _precision_of(own, own.members[0])))
        return fields

    def _name_colour(self, variable: Variable) -> None:
        """Give a colour, or the depth, of the other language the name that it has in this one."""
        if variable.role == "frag_depth":
            has_extension = not self._dialect.is_modern and self._dialect.is_es
            self.renamed[variable.name] = "gl_FragDepthEXT" if has_extension else "gl_FragDepth"
            return
        outputs = [v for v in self._module.variables.values() if v.role in ("frag_color", "frag_data")]
        if self._dialect.is_modern:
            if variable.role in ("frag_color", "frag_data") and variable.name.startswith("gl_"):
                name = "fragColors" if variable.dims else "fragColor"
                while name in self._declared or name in self._module.variables:
                    name += "_"
                self.renamed[variable.name] = name
                self._outputs.append(f"out vec4 {name}{''.join(f'[{length}]' for length in variable.dims)};")
        elif variable.role in ("frag_color", "frag_data") and variable.name != "gl_FragData":
            is_only = len(outputs) == 1 and not variable.location
            first = "gl_FragData" if variable.dims else f"gl_FragData[{variable.location or 0}]"
            self.renamed[variable.name] = "gl_FragColor" if is_only and not variable.dims else first


def _is_part(leaf: str, field: str, block: str) -> bool:
    """Tell whether a leaf of a block is a part of one of its members."""
    rest = leaf.removeprefix(f"{block}.").removeprefix(field)
    return leaf.removeprefix(f"{block}.").startswith(field) and rest[:1] in ("", ".", "[")


def _precision_of(declaration: Declaration, member: Member) -> Precision:
    """Return the precision of a member, which that of an array has in its elements."""
    elements = (o for o in declaration.members if o.path.startswith(member.path))
    return next((o.precision for o in elements if o.precision and not o.path.removeprefix(member.path).strip("[]")), "")
