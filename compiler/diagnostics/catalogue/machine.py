"""Messages about machine code: assembly text, containers and programs that break a hardware rule (E08xx, W08xx)."""

from __future__ import annotations

from compiler.diagnostics.catalogue.registry import error, note, warning

INVALID_ASSEMBLY = error(
    "E0801",
    "expected {expected}, found {found}",
    """
    The assembly text does not follow the target's syntax. The README of the target's folder describes it.
    """,
)

# --- agal: E081x ------------------------------------------------------------------------------------------------------

AGAL_UNKNOWN_OPCODE = error(
    "E0810",
    "agal has no instruction '{name}'",
    """
    Every line begins with an instruction of three lower-case letters. `docs/isa/agal.md` lists them.
    """,
)
AGAL_OPERAND_COUNT = error(
    "E0811",
    "{name} takes {expected} operands, found {found}",
    """
    Operands follow the instruction, separated by commas or blanks: the destination first, then the sources.

        add vt0, va0, vc0
        kil ft0.x           // no destination
        els                 // no operands
    """,
)
AGAL_NO_REGISTER = error(
    "E0812",
    "there is no register {name}, version {version} ends at {last}",
    """
    The number of registers depends on the version of the program; `backends/agal/README.md` has the table.
    """,
)
AGAL_NOT_HERE = error(
    "E0813",
    "{name} exists in {where} programs only",
    """
    Register names begin with v in vertex programs and with f in fragment programs; varyings (v0) are in both. kil, tex,
    ddx and ddy are instructions of fragment programs. Conditions and derivatives need version 2, which the first line
    of a text can request: `// agal 2 fragment`.
    """,
)
AGAL_HEADER_MISSING = error(
    "E0814",
    "the text does not say its version and stage",
    """
    The assembler must know the version (1, 2 or 3) and the stage. They are options, or the first line of the text:

        // agal 1 vertex
        m44 op, va0, vc0
    """,
)
AGAL_NOT_A_PROGRAM = error(
    "E0815",
    "not an agal program: {reason}",
    """
    A program is a header of 7 bytes (A0, version, A1, stage) and one or more tokens of 24 bytes.
    """,
)
AGAL_NO_TEXT = error(
    "E0816",
    "token {number} has no assembly text: {hex}",
    """
    The token is no instruction, or it has bits that assembly text cannot express, such as an empty write mask.
    """,
)
AGAL_RULE = error(
    "E0817",
    "{where} breaks rule {number}: {rule}",
    """
    The runtime refuses the program when it is uploaded, with this error number.
    """,
)
AGAL_BAD_PRAGMA = error(
    "E0870",
    "this pragma cannot be followed: {reason}",
    """
    A pragma sets how a sampler reads its texture, in the words of assembly text:

        #pragma agal sampler(u_map, nearest, miplinear, clamp, bias=-0.5)
    """,
)
AGAL_BAD_INDIRECT = error(
    "E0818",
    "{problem}",
    """
    Vertex programs can read a constant whose number is in a register: `vc[va0.x+8]` is constant int(va0.x) + 8. The
    register must have a number and one component; the offset is 0 to 255.
    """,
)
AGAL_IGNORED = warning(
    "W0810",
    "agal-ignored",
    "'{text}' is ignored, {meaning}",
    """
    Components are named x, y, z and w only; as in other AGAL assemblers, letters such as `.rgb` mean nothing, and so do
    unknown words between `<` and `>`.
    """,
)
AGAL_BIAS_WRAPS = warning(
    "W0811",
    "agal-bias",
    "a bias of {found} does not fit, {meaning} is stored",
    """
    The level of detail bias is stored in eighths, as a signed byte: -16 to 15.875.
    """,
)
AGAL_BAD_SAMPLERS = error(
    "E0861",
    "--agal-samplers cannot be followed: {reason}",
    """
    The option sets how samplers read their textures, in the words of assembly text: `u_map: nearest, clamp; u_sky:
    miplinear, bias=-0.5`. It replaces what pragmas say about the same sampler.
    """,
)
AGAL_LOOP_LIMITED = warning(
    "W0860",
    "agal-loop-limit",
    "{target} runs this loop {limit} times at most: it has no loops, and when compiling nothing bounds this one",
    """
    AGAL has no jumps backwards, so loops become copies of their bodies. Where neither the test of a loop nor another
    exit from it counts from a constant to a constant, the loop is an error, unless `--agal-loop-limit` gives a number
    of copies; what the loop computes is wrong where it should run more often than that. A constant bound is safe:

        for (int i = 0; i < u_count; i++)             // as many copies as the option says
        for (int i = 0; i < 4 && i < u_count; i++)    // four copies, whatever u_count is
    """,
)

# --- pica200: E082x ---------------------------------------------------------------------------------------------------

PICA200_UNKNOWN_STATEMENT = error(
    "E0820",
    "pica200 has no {kind} '{name}'",
    """
    Every line is a directive (`.out`), a label (`name:`) or an instruction. The README of the target's folder lists the
    directives, the page of its instruction set the instructions.
    """,
)
PICA200_UNDEFINED = error(
    "E0821",
    "there is no {kind} '{name}'",
    """
    An operand is a register (`r0`) or a name that `.alias`, `.in`, `.out`, `.fvec`, `.constf` and their like define
    before its first use. Labels and procedures may be defined later.
    """,
)
PICA200_REDEFINED = error(
    "E0822",
    "'{name}' is defined twice",
    """
    Names of registers, labels and procedures are defined once.
    """,
)
PICA200_NO_REGISTER = error(
    "E0823",
    "there is no register {name}, {bank} ends at {last}",
    """
    The banks are v0 to v15 (inputs), o0 to o15 (outputs), r0 to r15, c0 to c95, i0 to i3 and b0 to b15. An index
    counts: `r14[2]` is r16, which does not exist.
    """,
)
PICA200_OPERAND_RULE = error(
    "E0824",
    "{found} cannot be {role}, which takes {allowed}",
    """
    Each operand of an instruction can be in certain banks only. Just one source of an instruction may be a c
    register, and only this one may be indexed by a0.x, a0.y or aL:

        add r0, c0, r1      ; s1 is the wide source of add
        mad r0, r1, c0, r2  ; s2 or s3 of mad

    Copy other c registers to r registers first.
    """,
)
PICA200_TWO_INPUTS = error(
    "E0825",
    "one instruction cannot read both {first} and {second}",
    """
    The hardware reads wrong values when an instruction names two different input registers. Copy one to an r register
    first; reading the same one twice is fine.
    """,
)
PICA200_BLOCK_STRUCTURE = error(
    "E0826",
    "{what}",
    """
    `.proc name`, `ifc`, `ifu` and `for` open a block, `.end` closes it; `.else` divides an `ifc` or `ifu` once.
    Instructions are inside procedures, and one procedure (main, or what `.entry` names) is the entry.
    """,
)
PICA200_TOO_MANY = error(
    "E0827",
    "needs {need} {what}, pica200 has {limit}",
    """
    The program does not fit into the machine: 512 words of code, 128 operand descriptors (32 for mad), 96 c, 4 i and
    16 b registers, blocks of 255 words where their length is part of an instruction.
    """,
    exit_status=3,
)
PICA200_BAD_CONTAINER = error(
    "E0828",
    "not a pica200 shader file: {reason}",
    """
    A `.shbin` file is a DVLB header, a DVLP with the code and one DVLE for each shader; all their tables must lie
    inside the file.
    """,
)
PICA200_NO_TEXT = error(
    "E0829",
    "word {address} has no assembly text: {reason}",
    """
    Assembly text can express properly nested blocks of known instructions. The program jumps or overlaps in a way that
    it cannot, or holds words that are no instruction.
    """,
)
PICA200_MASK_ORDER = warning(
    "W0820",
    "mask-order",
    "a write mask has no order, '{found}' means '{meaning}'",
    """
    The letters after a destination say which components are written, not which value goes where. To exchange
    components, swizzle a source: `mov r0.xy, r1.yx`.
    """,
)

PICA200_UNKNOWN_PROPERTY = error(
    "E0819",
    "the rasteriser has no input '{found}' for '{name}'",
    """
    A pragma or the option --outputs says how the rasteriser uses a varying.

        #pragma pica200 output v_light texcoord1
    """,
)
PICA200_NO_PROPERTY = note(
    "N0820",
    "'{name}' has no meaning to the rasteriser, it becomes a dummy output",
    """
    The rasteriser knows a color, three texture coordinates, a view vector and a quaternion for the normal. A varying is
    used as one of these by its name, or where a pragma says so:

        varying vec4 v_color;
        #pragma pica200 output v_light texcoord1
    """,
)

# --- theia: E084x -----------------------------------------------------------------------------------------------------

THEIA_UNKNOWN_OPCODE = error(
    "E0840",
    "theia has no instruction '{name}'",
    """
    Every line is a label (`name:`) or an instruction in capitals. `docs/isa/theia.md` lists the instructions.
    """,
)
THEIA_OPERAND_COUNT = error(
    "E0841",
    "{name} takes {expected} operands, found {found}",
    """
    Operands are separated by blanks; a register field that the instruction does not use is written VOID:

        MAG R2 R1 VOID
        JMP label VOID VOID
        SETX R1 32'h20000
        RETURN RT_TRUE
    """,
)
THEIA_UNDEFINED_LABEL = error(
    "E0842",
    "there is no label '{name}'",
    """
    A jump names a label of the same text, or gives an address as four hexadecimal digits that begin with a decimal one.
    """,
)
THEIA_REDEFINED_LABEL = error(
    "E0843",
    "label '{name}' is defined twice",
    """
    A label stands for one address. The labels of entry points, such as `ENTRYPOINT_ADRR_PIXELSHADER`, count too.
    """,
)
THEIA_TOO_MANY = error(
    "E0844",
    "there is no address for more than {limit} instructions",
    """
    Code addresses have 16 bits, one of which selects user memory. (The machine has room for 116 instructions; that is
    checked as a rule of the hardware.)
    """,
    exit_status=3,
)
THEIA_BAD_CONTAINER = error(
    "E0845",
    "not a theia code file: {reason}",
    """
    A code file is text: a count of words, twelve rows of entry points, and one row for each instruction, every row two
    hexadecimal numbers of 32 bits. The count is twice the number of rows.
    """,
)
THEIA_NO_TEXT = error(
    "E0846",
    "{what} has no assembly text: {found}",
    """
    The word is no instruction of the machine, or has bits where there must be none; or an entry point is neither in the
    program nor where the firmware has it.
    """,
)
THEIA_RULE = error(
    "E0847",
    "{where} breaks rule {rule}: {message}",
    """
    The hardware would hang or compute something else than the text says. `docs/isa/theia.md` lists the rules.
    """,
)

# --- adreno: E083x ----------------------------------------------------------------------------------------------------

ADRENO_UNKNOWN_NAME = error(
    "E0830",
    "adreno has no {kind} '{name}'",
    """
    A line is a clause (`EXEC`), an instruction after `ALU:` or `FETCH:`, or the scalar half of the ALU instruction
    above it. `docs/isa/adreno.md` lists them, the README of the target's folder their options.
    """,
)
ADRENO_OUT_OF_RANGE = error(
    "E0831",
    "{what} must be {low} to {high}, found {found}",
    """
    The number does not fit into its field of the word. There are registers R0 to R63, constants C0 to C255 and exports
    0 to 63; an exec clause can name slots 0 to 511.
    """,
)
ADRENO_NOT_ENCODABLE = error(
    "E0832",
    "{rule}",
    """
    The halves of an ALU instruction share fields: one flag says whether both write exports, the scalar operation
    reads the third source, and the relative flags serve several constants.

        ALU:    MULADDv R0 = C2, R1, C0
                MAXs    R1.x___ = C2        // fine: also the third source
    """,
)
ADRENO_CLAUSE = error(
    "E0833",
    "{problem}",
    """
    Instructions follow the exec clause that runs them, at most six; a clause that is longer must be divided. ADDR and
    CNT are computed where the text gives none.

        EXEC
           (S)ALU:  MAXv export62 = R1, R1
        EXEC_END
    """,
)
ADRENO_NOT_A_PROGRAM = error(
    "E0834",
    "not an adreno program: {reason}",
    """
    A program is an array of slots of 12 bytes: first the clauses, two a slot, then the instructions. The first exec
    clause names the first instruction, and thereby the number of clauses.
    """,
)
ADRENO_NO_TEXT = error(
    "E0835",
    "slot {slot} has no assembly text: {reason}",
    """
    Assembly text holds the instructions that clauses run. Other slots cannot be written.
    """,
)

# --- vc4: E085x -------------------------------------------------------------------------------------------------------

VC4_UNKNOWN_NAME = error(
    "E0850",
    "vc4 has no {kind} '{name}'",
    """
    A line holds instructions (`fadd r0, r1, ra2`) and signals (`ldtmu0`), divided by semicolons, or a label (`:name`),
    or a directive (`.set`). `docs/isa/vc4.md` lists instructions, signals, registers and their suffixes.
    """,
)
VC4_NOT_ENCODABLE = error(
    "E0851",
    "{problem}",
    """
    The halves of an instruction share one address in file A, one in file B (or a small immediate), one signal, one
    write swap, one pack and one unpack mode:

        fadd ra0, ra1, rb2; fmul rb0, ra1, r0   // fine: ra1 is read twice, the halves write different files
        fadd ra0, ra1, ra2                      // copy one of them to r0 first
    """,
)
VC4_OUT_OF_RANGE = error(
    "E0852",
    "{what} must be {low} to {high}, found {found}",
    """
    The number does not fit into its field of the word.
    """,
)
VC4_UNDEFINED = error(
    "E0853",
    "there is no {kind} '{name}'",
    """
    Labels are defined anywhere in the text, `:name` on its own or before an instruction; numbered ones are found by
    direction, `1f` or `1b`. Names of `.set` are defined before their first use.
    """,
)
VC4_REDEFINED = error(
    "E0854",
    "label '{name}' is defined twice",
    """
    A label stands for one address. Labels that are numbers can be defined again; `1b` and `1f` find the nearest.
    """,
)
VC4_NOT_A_PROGRAM = error(
    "E0855",
    "not a vc4 program: {reason}",
    """
    A program is an array of instruction words, 8 bytes each with the lowest first; there is no header.
    """,
)
VC4_INCLUDE = error(
    "E0856",
    "cannot include '{name}': {reason}",
    """
    `.include "file"` puts the text of a file in place of the line. Files may include others, 20 deep.
    """,
)
