"""Messages about machine code: assembly text, containers and programs that break a hardware rule (E08xx, W08xx)."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics.catalogue.registry import error, note, warning

INVALID_ASSEMBLY = error(
    "E0801",
    "expected {expected}, found {found}",
    """
    The assembly text does not follow the target's syntax. The README of the target's folder describes it.
    """,
)

# --- What the languages of all targets have in common -----------------------------------------------------------------

UNKNOWN_NAME = error(
    "E0802",
    "{target} has no {kind} '{name}'",
    """
    The page of the instruction set, `docs/isa/TARGET.md`, lists the instructions and registers, the README of the
    target's folder directives and options. Most names have one case:

        mov vt0, va0        // agal: instructions of three lower-case letters
        MAG R2 R1 VOID      // theia: capitals
    """,
    formerly=("E0810", "E0820", "E0830", "E0840", "E0850"),
)
OPERAND_COUNT = error(
    "E0803",
    "{name} takes {expected} operands, found {found}",
    """
    Operands follow the instruction, the destination first, then the sources; a register field of theia that the
    instruction does not use is written VOID.

        add vt0, va0, vc0   // agal: separated by commas or blanks
        kil ft0.x           // no destination
        MAG R2 R1 VOID      // theia: separated by blanks
    """,
    formerly=("E0811", "E0841"),
)
OUT_OF_RANGE = error(
    "E0804",
    "{what} must be {low} to {high}, found {found}",
    """
    The number does not fit into its field of the word, or there are not so many of what it counts.

        EXEC ADDR(0x200)    // adreno: an exec clause can name slots 0 to 511
        mov r0, r1 << 16    // vc4: a rotation is by 1 to 15 lanes
    """,
    formerly=("E0831", "E0852"),
)
UNDEFINED = error(
    "E0805",
    "there is no {kind} '{name}'",
    """
    Labels and procedures are defined anywhere in the text, all other names before their first use.

        brr -, r:1b         // vc4: numbered labels are found by direction, 1f or 1b
        JMP 8044 VOID VOID  // theia: an address has four hexadecimal digits that begin with a decimal one
    """,
    formerly=("E0821", "E0842", "E0853"),
)
REDEFINED = error(
    "E0806",
    "{kind} '{name}' is defined twice",
    """
    A name stands for one register, a label for one address. The labels of theia's entry points count, too; vc4's labels
    that are numbers can be defined again, `1b` and `1f` find the nearest.
    """,
    formerly=("E0822", "E0843", "E0854"),
)
NOT_ENCODABLE = error(
    "E0807",
    "{problem}",
    """
    Parts of an instruction share fields of its word, so what they say must agree. On vc4, the halves have one address
    in file A, one in file B (or a small immediate), one signal, one write swap, one pack and one unpack mode:

        fadd ra0, ra1, rb2; fmul rb0, ra1, r0   // fine: ra1 is read twice, the halves write different files
        fadd ra0, ra1, ra2                      // copy one of them to r0 first

    On adreno, one flag says whether both halves write exports, the scalar operation reads the third source, and the
    relative flags serve several constants:

        ALU:    MULADDv R0 = C2, R1, C0
                MAXs    R1.x___ = C2            // fine: also the third source
    """,
    formerly=("E0832", "E0851"),
)
NOT_A_PROGRAM = error(
    "E0808",
    "this is no program for {target}: {reason}",
    """
    A program is a file of

    - agal: a header of 7 bytes (A0, version, A1, stage) and one or more tokens of 24 bytes;
    - pica200: a DVLB header, a DVLP with the code and one DVLE for each shader, whose tables lie inside the file; for
      the fragment stage, PTEV, a version, a count and 0, then that many words of a command list of the GPU;
    - adreno: slots of 12 bytes, first the clauses, two a slot, then the instructions. The first exec clause names the
      first instruction, and thereby the number of clauses;
    - theia: text of hexadecimal numbers of 32 bits, a count of words (twice the number of rows), then twelve rows of
      entry points and a row for each instruction, two numbers a row;
    - vc4: instruction words of 8 bytes, the lowest first, without a header.
    """,
    formerly=("E0815", "E0828", "E0834", "E0845", "E0855"),
)
NO_TEXT = error(
    "E0809",
    "{what} has no assembly text: {reason}",
    """
    The word is no instruction, or has bits that assembly text cannot express, such as an empty write mask of agal. Or
    the program is put together as no text puts it: pica200's blocks must nest, adreno's clauses must run all
    instructions, theia's entry points must be in the program or where the firmware has them.
    """,
    formerly=("E0816", "E0829", "E0835", "E0846"),
)
NO_REGISTER = error(
    "E0812",
    "there is no register {name}, {where} ends at {last}",
    """
    How many registers there are depends on their kind, and on agal on the version of the program; the README of the
    target's folder has the table. An index counts: `r14[2]` is r16, which pica200 does not have.
    """,
    formerly=("E0823",),
)
TOO_MANY = error(
    "E0827",
    "needs {need} {what}, {target} has {limit}",
    """
    The program does not fit into the machine. pica200 has 512 words of code, 128 operand descriptors (32 for mad), 96
    c, 4 i and 16 b registers, and blocks of 255 words where their length is part of an instruction. Code addresses of
    theia have 16 bits, one of which selects user memory. (Its machines have room for 116 instructions; that is checked
    as a rule of the hardware.)
    """,
    exit_status=3,
    formerly=("E0844",),
)

# --- agal: E081x ------------------------------------------------------------------------------------------------------

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

AGAL_REFUSED_BY_CONSUMER = error(
    "E0871",
    "{consumer} does not take this program: {reason}",
    """
    `--agal-compat` names who must take the code. Code for several of them, or for one with more restrictions, may take
    more tokens; this shader has none that all of them take. The page of the target says what each of them refuses.
    """,
    exit_status=3,
)
AGAL_NOT_FOR_CONSUMER = warning(
    "W0872",
    "agal-compat",
    "{consumer} does not take this program: {reason}",
    """
    Adobe's runtime takes the program, but another reader of AGAL refuses it or does something else. Code that all take
    would be longer. `--agal-compat openfl`, say, asks for such code, and reports what is impossible as an error;
    `--agal-compat air` says that no one else reads the code.
    """,
)

AGAL_SIDES_APART = warning(
    "W0873",
    "agal-front-facing",
    "gl_FrontFacing is a constant here: draw front and back apart",
    """
    Stage3D does not tell a fragment program which side of a surface it draws. The program reads it from a constant,
    which the register map names: 1 for the front, 0 for the back. Draw the geometry twice, once with back faces culled
    and 1 in the constant, once with front faces culled and 0.
    """,
)
AGAL_NO_POINTS = warning(
    "W0874",
    "agal-point-size",
    "gl_PointSize has no effect: Stage3D draws no points",
    """
    Stage3D draws triangles only. The shader is compiled without what it computes for the size of points; draw each
    point as a quad.
    """,
)

AGAL_LITERALS_PACKED = note(
    "N0875",
    "numbers of the shader are beside uniforms, since the constant registers do not suffice",
    """
    As with --agal-pack-literals, literals have components of registers that uniforms leave free. Upload uniforms first,
    and then the literals of the register map, each into its components; or fill both into one array.
    """,
)

# --- pica200: E082x ---------------------------------------------------------------------------------------------------

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
PICA200_DEAD_OUTPUT = warning(
    "W0821",
    "dead-output",
    "nobody gets '{name}': it is in o{register}, and the output map ends with o6",
    """
    The hardware hands seven output registers on, o0 to o6: to the rasteriser, or to a geometry shader. The position is
    the first; what the rasteriser has a use for comes next, then everything else. An array or matrix takes a register
    for each element or column.

    Put several small varyings into one, or leave out those that nothing reads.
    """,
)
PICA200_DROPPED_COMPONENTS = warning(
    "W0822",
    "dropped-components",
    "the rasteriser takes '{name}.{taken}' as {property}, and '{dropped}' goes nowhere",
    """
    A texture coordinate has two components, a view vector three. A third number for texture unit 0, by which
    coordinates are divided or a shadow map is compared, is a varying of its own:

        varying vec2 v_texcoord0;
        varying float v_texcoord0w;
    """,
)

NOT_LIFTED = error(
    "E0862",
    "'{filename}' cannot be read as a shader: {reason}",
    """
    The program does what no shader of GLSL says, such as reading the bytes of a vertex by a number that it computes, or
    what is not lifted yet. `glslc-multi dis` prints its instructions.
    """,
)

NO_EXECUTABLE = error(
    "E0863",
    "'{filename}' has no shader '{wanted}'",
    """
    A `.shbin` holds one shader or several, vertex and geometry shaders; without a name the first vertex shader is
    read. --entry takes a shader's number, from 0 on, its stage, or a label where it begins; --stage is that of the
    shader.
    """,
)

# --- theia: E084x -----------------------------------------------------------------------------------------------------

THEIA_RULE = error(
    "E0847",
    "{where} breaks rule {rule}: {message}",
    """
    The hardware would hang or compute something else than the text says. `docs/isa/theia.md` lists the rules.
    """,
)

# --- adreno: E083x ----------------------------------------------------------------------------------------------------

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

# --- vc4: E085x -------------------------------------------------------------------------------------------------------

VC4_INCLUDE = error(
    "E0856",
    "cannot include '{name}': {reason}",
    """
    `.include "file"` puts the text of a file in place of the line. Files may include others, 20 deep.
    """,
)
