"""Messages about SPIR-V modules, and about the compilers that make them of other languages (E10xx)."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics.catalogue.registry import error, note

NOT_A_MODULE = error(
    "E1001",
    "no SPIR-V module: {what}",
    """
    A binary module begins with the word 0x07230203, in either order of bytes, and four more words of header; all that
    follows are instructions (SPIR-V specification, section 2.3). A text is what spirv-dis writes and spirv-as reads.
    """,
)

MALFORMED_INSTRUCTION = error(
    "E1002",
    "invalid SPIR-V: {name}: {what}",
    """
    An instruction has the operands that the specification lists for it, as many words as its first word says, and ids
    below the bound of the header (SPIR-V specification, sections 2.3 and 3). spirv-val tells more about such a module.
    """,
)

UNKNOWN_WORD = error(
    "E1003",
    "'{word}' is no {kind} that is known here",
    """
    The text form has the names of the specification (SPIR-V specification, section 3). Instructions of extensions
    and of other kinds of programs than vertex and fragment shaders are not known.

        %v = OpFAd %float %a %b      ; OpFAdd
    """,
)

TEXT_SYNTAX = error(
    "E1004",
    "expected {expected}, found {found}",
    """
    A line of the text form is an instruction with its operands, after the id that it defines, as spirv-dis writes it.

        %sum = OpFAdd %float %a %b
    """,
)

BAD_ID = error(
    "E1005",
    "invalid SPIR-V: {name}: %{id} {what}",
    """
    Every id is defined once, by an instruction that yields what its users need, and before them but for branches, phis
    and calls (SPIR-V specification, sections 2.4 and 2.16).
    """,
)

BAD_TYPES = error(
    "E1006",
    "invalid SPIR-V: {name}: {what}",
    """
    The types of operands and result fit the instruction (SPIR-V specification, section 3). spirv-val tells more about
    such a module.
    """,
)

BAD_CONTROL_FLOW = error(
    "E1007",
    "invalid SPIR-V: {what}",
    """
    A function is a list of blocks that begin with OpLabel and end with a branch, a return or OpKill; branches go to
    blocks of the same function, loops have one entry, and values are used where they are known (SPIR-V specification,
    sections 2.11 and 2.16). Functions do not call themselves.
    """,
)

NO_ENTRY_POINT = error(
    "E1008",
    "the module has no entry point {wanted}",
    """
    --entry names an entry point by its name in the source, --stage its stage: vertex or fragment. A module that was
    made as a library has none.
    """,
)

SEVERAL_ENTRY_POINTS = error(
    "E1009",
    "the module has several {stage} entry points: {names}",
    """
    A module may hold many shaders; --entry says which of them is to be compiled.
    """,
)

NOT_SUPPORTED = error(
    "E1010",
    "{name}: {what}",
    """
    The module asks for something that no target here has: storage buffers, atomic operations, numbers of other widths
    than 32 bits, groups of invocations, pointers that are values, other stages than vertex and fragment.
    """,
)

NO_SPECIALIZATION = error(
    "E1011",
    "--spec {given}: {what}",
    """
    --spec ID=VALUE sets the specialization constant that the source declares with that number; VALUE is true, false, a
    whole number or a decimal, as the constant's type asks.

        layout(constant_id = 3) const int SAMPLES = 4;      // --spec 3=8
    """,
)

BAD_INTERFACE = error(
    "E1012",
    "invalid SPIR-V: {name}: {what}",
    """
    Variables of the interface say by decorations what they are: a location, a built-in role, or the place of each
    member in a block. Each location is taken once, or shared by components.
    """,
)

NO_COMPILER = error(
    "E1013",
    "nothing here compiles {language}: none of {tools} is installed",
    """
    HLSL, Slang and WGSL are read by outside compilers, which make SPIR-V of them: glslangValidator or glslc (Debian's
    packages glslang-tools and glslc), dxc, slangc, naga or tint. The first that is found on the path is run.
    """,
)

COMPILER_FAILED = error(
    "E1014",
    "{tool}: {message}",
    """
    The compiler that makes SPIR-V of the source refused it; the message is its own. -v shows the command.
    """,
)

COMPILER_RUN = note(
    "N1015",
    "runs {command}",
    """
    With -v, the command that makes SPIR-V of a source in HLSL or WGSL.
    """,
)
