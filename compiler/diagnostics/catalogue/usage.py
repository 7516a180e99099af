"""Messages about the use of the tool: command line, files, option values; and the internal error (E09xx, E9999)."""

from __future__ import annotations

from functools import partial

from glslc_multi.compiler.diagnostics.catalogue.registry import error, note

_usage_error = partial(error, exit_status=2)

FILE_NOT_FOUND = _usage_error(
    "E0901",
    "cannot find '{path}'",
    """
    No file has this name. A relative name is looked up from the current directory.
    """,
)

UNREADABLE_FILE = _usage_error(
    "E0902",
    "cannot read '{path}': {reason}",
    """
    The file exists, but the system does not let the compiler read it, or it is not what is expected there, such as a
    pipe, or far too large. Look at its permissions.
    """,
)

INPUT_IS_DIRECTORY = _usage_error(
    "E0903",
    "'{path}' is a directory, expected a file",
    """
    The compiler reads single files. Name the shaders of the directory one by one.
    """,
)

NOT_UTF8 = _usage_error(
    "E0904",
    "'{path}' is not UTF-8 text: line {line} has the byte {byte}, at offset {offset}",
    """
    Assembly texts, IR and JSON are read as UTF-8, of which ASCII is a part. This file holds binary data, or text in
    another encoding. Save it as UTF-8.
    """,
)

UNKNOWN_OPTION = _usage_error(
    "E0905",
    "unknown option '{option}'",
    """
    The command has no option of this name. `--help` lists what it has; options of a target are listed by
    `glslc-multi targets`.
    """,
)

MISSING_OPTION_VALUE = _usage_error(
    "E0906",
    "option '{option}' needs {expected}",
    """
    The option takes a value, and none follows it.

        glslc-multi scene.frag --target        # error: no name follows
        glslc-multi scene.frag --target agal   # fine
    """,
)

INVALID_OPTION_VALUE = _usage_error(
    "E0907",
    "option '{option}' takes {expected}, found '{value}'",
    """
    The value is not one of those that the option takes.

        glslc-multi scene.frag --target agal --max-errors many   # error: a number is needed
    """,
)

UNKNOWN_TARGET = _usage_error(
    "E0908",
    "unknown target '{name}'",
    """
    The compiler generates code for the targets that `glslc-multi targets` lists.
    """,
)

NO_TARGET = _usage_error(
    "E0909",
    "no target given",
    """
    `--target` says for which machine to compile. `glslc-multi targets` lists the names.
    """,
)

UNKNOWN_STAGE = _usage_error(
    "E0910",
    "unknown stage '{name}'",
    """
    A shader belongs to one stage of the pipeline, such as `vertex` or `fragment`.
    """,
)

STAGE_NOT_KNOWN = _usage_error(
    "E0911",
    "cannot tell the stage of '{path}' from its name",
    """
    The suffix of the file's name says for which stage a shader is written (`.vert`, `.frag`, `.geom`). Name the
    stage with `--stage` when the suffix is another one or the text comes from standard input.
    """,
)

STAGE_NOT_ON_TARGET = _usage_error(
    "E0912",
    "{target} has no {stage} stage",
    """
    Not every machine can run a program at every stage of the pipeline. `glslc-multi targets` lists the stages.
    """,
)

UNWRITABLE_OUTPUT = _usage_error(
    "E0913",
    "cannot write '{path}': {reason}",
    """
    The output could not be written. The directory must exist and must allow new files: the output is written
    beside its final name first, so that no reader sees half a file. Windows has no files of some names: it takes
    `aux.bin` for a device and `a:b` for a part of `a`, and drops a dot or a space at the end.
    """,
)

UNKNOWN_CODE = _usage_error(
    "E0914",
    "unknown diagnostic code '{code}'",
    """
    Codes have the form of `E0301`: a letter and four digits, as printed at the end of a message.
    """,
)

NO_INPUT = _usage_error(
    "E0915",
    "no input file given",
    """
    Name a shader to compile, or `-` for standard input.
    """,
)

CONFLICTING_OPTIONS = _usage_error(
    "E0916",
    "'{first}' and '{second}' cannot be used together",
    """
    Each of the two options decides the same thing. Drop one of them.
    """,
)

UNKNOWN_WARNING = _usage_error(
    "E0917",
    "unknown warning group '{name}'",
    """
    `-W<group>` and `-Wno-<group>` switch a group of warnings on and off. The catalogue of diagnostics names the
    group of each warning.
    """,
)

UNEXPECTED_ARGUMENT = _usage_error(
    "E0918",
    "unexpected argument '{argument}'",
    """
    The command takes fewer arguments than it was given. Options and their values come as `--option value` or
    `--option=value`.
    """,
)

INVALID_DEFINE = _usage_error(
    "E0919",
    "'{text}' does not define a macro",
    """
    A macro is defined as `-DNAME` or `-DNAME=VALUE`. The name follows the rules of GLSL identifiers, and neither
    begins with `GL_` nor contains two underscores in a row (GLSL ES 1.00 section 3.4).
    """,
)

UNKNOWN_PASS = _usage_error(
    "E0920",
    "there is no pass called '{name}'",
    """
    A pipeline names passes by their kebab-case names; `glslc-multi opt --list` prints them with a line
    about each.
    """,
)

BAD_PASS_OPTION = _usage_error(
    "E0921",
    "pass '{name}' cannot take option '{option}' like this",
    """
    Options of a pass follow its name in braces, each with a value of the right type:
    `loop-unroll{max=64}`.
    """,
)

BAD_PIPELINE = _usage_error(
    "E0922",
    "expected {expected} in the pipeline",
    """
    A pipeline is a list of passes: `sroa,mem2reg,loop-unroll{max=64},repeat(instcombine,gvn,dce)`.
    """,
)

INTERNAL_ERROR = error(
    "E9999",
    "internal error: {what}",
    """
    The compiler has found a mistake of its own. The shader is not the cause; please report it with the
    shader and the command line.
    """,
    exit_status=70,
)

PROOF_FAILED = error(
    "E0960",
    "internal error: the code for {target} does not compute what the shader says: {what}",
    """
    Every compilation compares its machine code with the source (see docs/proof.md). Here they differ: the compiler has
    a mistake, and wrote nothing. The shader is not the cause; please report it with the shader and the command line.
    `--proof=off` (in Python: proof="off") gives out the code all the same, which is wrong for some inputs; another
    level (`-O0`) may not have the mistake.
    """,
    exit_status=70,
)

NOT_REDUCIBLE = _usage_error(
    "E0961",
    "'{path}' cannot be made smaller: {reason}",
    """
    `glslc-multi reduce` takes parts of a GLSL shader away as long as the compilation ends with the same error. Give the
    target and the options with which it fails; `--code` names the error where there are several.
    """,
)

UNKNOWN_ENGINE = _usage_error(
    "E0923",
    "there is no engine '{name}'",
    """
    `run` takes `engine="simulator"` (the machine code, on the target's simulator), `"translated"` (the machine code,
    compiled for this computer), `"reference"` (the meaning of the source) or `"jit"` (that meaning, compiled for this
    computer).
    """,
)

OUTPUT_WRITTEN_TWICE = _usage_error(
    "E0924",
    "'{path}' would be written twice",
    """
    Two results of one run go to the same file. With several inputs or targets, `-o` takes a pattern:

        glslc-multi a.vert b.vert --target all -o 'out/{stem}.{target}.bin'
    """,
)

OUTPUT_IS_INPUT = _usage_error(
    "E0925",
    "'{path}' is an input and would be overwritten",
    """
    The output has the name of a file that is read. Name another one with `-o`.
    """,
)

UNUSABLE_JSON = _usage_error(
    "E0926",
    "cannot use '{path}': {problem}",
    """
    The file must hold JSON of the form that the command takes. `glslc-multi run` takes an object with `inputs`,
    `uniforms` and `textures`; `glslc-multi stats diff` takes what `--stats=json` and `--emit stats` print.
    """,
)

STAGE_ON_THE_HOST = note(
    "N0927",
    "{target} has no {stage} stage: in the picture it runs compiled for this computer",
    """
    `glslc-multi render` draws with both stages. What the target cannot run is drawn by the meaning of the source, so
    the picture says nothing about that half.
    """,
)

UNUSABLE_MANIFEST = _usage_error(
    "E0940",
    "cannot use '{path}': {problem}",
    """
    A project file, `glslc-multi.toml`, and a manifest of `glslc-multi batch` are TOML files with the same keys. They
    say how shaders are compiled, and a manifest lists them:

        targets = ["agal", "pica200"]

        [[shader]]
        source = "lit.vert"
        defines.FOG = [false, true]

    docs/project-file.md and docs/batch.md describe all keys. A project file is left out with `--no-project`.
    """,
)

NO_FARM = _usage_error(
    "E0941",
    "--scheduler needs the package distributed",
    """
    Batches on many machines are run by Dask.distributed, which is not installed. Install the extra with
    `pip install 'glslc-multi[farm]'`, or leave out `--scheduler`: then processes of this machine do the work, and
    `--shard` divides it between machines without any service.
    """,
)

NO_RUN_EXTRA = _usage_error(
    "E0948",
    "running shaders needs {package}, which is not installed",
    """
    Compiling needs neither numpy nor llvmlite; running shaders and rendering with them need both. Install them with
    `pip install 'glslc-multi[run]'`, or `pip install '.[run]'` in a copy of the project.
    """,
)

NO_SOLVER = _usage_error(
    "E0949",
    "--prove needs the package ortools",
    """
    The shortest code of a block is looked for by the solver CP-SAT of OR-Tools, which is not installed. Install the
    extra with `pip install 'glslc-multi[prove]'`, or `pip install '.[prove]'` in a copy of the project; or leave out
    `--prove`, without which nothing needs it.
    """,
)

NO_LANGUAGE_SERVER = _usage_error(
    "E0958",
    "the language server needs the package pygls",
    """
    `glslc-multi lsp` speaks with editors through pygls, which is not installed. Install the extra with
    `pip install 'glslc-multi[lsp]'`, or `pip install '.[lsp]'` in a copy of the project. Compiling does not need it.
    """,
)

NO_SCHEDULER = _usage_error(
    "E0942",
    "cannot reach the scheduler '{address}': {reason}",
    """
    No scheduler of Dask.distributed answers at this address. `dask scheduler` starts one and prints its address.
    """,
)

WORKER_DIED = error(
    "E0943",
    "the process that compiled this died: {reason}",
    """
    This is a mistake of the compiler, or the machine ran out of memory. The other variants of the batch are not
    affected. Compile this shader by itself to see more, and please report it.
    """,
    exit_status=70,
)

VARIANTS_FAILED = error(
    "E0944",
    "{count} of {total} variants have errors",
    """
    The messages are above this one, each once; `index.json` in the output folder names the variants. The
    other variants were written.
    """,
)

VARIANTS_UNREADABLE = _usage_error(
    "E0945",
    "{count} of {total} variants could not be read or have wrong options",
    """
    A source cannot be read, or an option or macro is wrong for some target. The messages are above this one;
    the other variants were written.
    """,
)

VARIANTS_TOO_BIG = error(
    "E0946",
    "{count} of {total} variants do not fit their target",
    """
    The messages above this one name limits and needs. The other variants were written.
    """,
    exit_status=3,
)

VARIANTS_CRASHED = error(
    "E0947",
    "{count} of {total} variants failed by a mistake of the compiler",
    """
    The messages are above this one; please report them. The other variants were written.
    """,
    exit_status=70,
)

SEVERAL_FILES = _usage_error(
    "E0950",
    "host code is several files, which cannot all go to standard output",
    """
    `--emit host` writes sources and data that name each other. Name a folder for them, or one of them, whose name the
    others get too.

        glslc-multi lit.vert --target pica200 --emit host -o -          # error
        glslc-multi lit.vert --target pica200 --emit host -o build/     # fine
        glslc-multi lit.vert --target pica200 --emit host -o lit.c      # fine: lit.c and what belongs to it
    """,
)

NO_HOST_CODE = _usage_error(
    "E0951",
    "target '{target}' writes no host code",
    """
    `--emit host` is an ability that a target declares; this one has none. The register map (`--emit json`) says what a
    loader must do.
    """,
)

UNKNOWN_HOST_FORM = _usage_error(
    "E0952",
    "target '{target}' has no form '{name}' of host code",
    """
    Each target has its own forms of host code: languages, and libraries of the machine. `glslc-multi targets` lists
    them.
    """,
)

HOST_FORM_CANNOT = _usage_error(
    "E0953",
    "host code of the form '{form}' cannot {cannot}",
    """
    A form of host code writes files that work as they are, or none: what it has no way to do is refused.

        glslc-multi a.vert --target vc4 --emit host              # error: the chip draws with all stages
        glslc-multi link a.vert a.frag --target vc4 --emit host  # fine
    """,
)

NO_PLAYGROUND_EXTRA = _usage_error(
    "E0955",
    "the playground needs {package}, which is not installed",
    """
    `glslc-multi playground` serves a page by Starlette and Uvicorn, which compiling does not need. Install them with
    `pip install 'glslc-multi[playground]'`, or `pip install '.[playground]'` in a copy of the project.
    """,
)

PAGE_NOT_BUILT = _usage_error(
    "E0956",
    "the page of the playground has not been built",
    """
    The page is built from its sources with programs of npm. In a copy of the project `make playground` does that;
    distributions of releases have the page.
    """,
)

NOT_LAID_OUT = error(
    "E0962",
    "'{path}' is not in the regular layout",
    """
    `glslc-multi fmt --check` found lines that `glslc-multi fmt` would change. It changes spaces and indentation alone.
    """,
)

CANNOT_LAY_OUT = error(
    "E0963",
    "'{path}' cannot be laid out safely",
    """
    A line outside of directives is continued by a backslash, a comment goes on from a directive to the next line, or
    the text has characters that are no GLSL. A new layout could change what it means, so the file stays as it is.
    """,
)

PLUGIN_LEFT_OUT = note(
    "N0958",
    "{fault}; it is left out",
    """
    Another distribution adds a target, but its code cannot be imported: it is damaged, needs a package that is not
    installed, or was written for another release. What asks all targets goes on without it. Bring it up to date, or
    remove it with pip.
    """,
)

BAD_REGISTER_MAP = _usage_error(
    "E0964",
    "'{path}' cannot be the register map: {problem}",
    """
    A file of machine code is read with the register map that `--emit json` writes: the file of its name with .json
    after it, or the one that `--map` names. It must be of a shader for the same stage and target.

        glslc-multi decompile game.shbin --map game.map.json
    """,
)

PORT_TAKEN = _usage_error(
    "E0957",
    "port {port} cannot be listened on: {reason}",
    """
    Another program listens there, or the system keeps the port for itself.

        glslc-multi playground shaders --port 0    # any free port
    """,
)

STAGES_SWAPPED = _usage_error(
    "E0965",
    "the vertex shader comes first",
    """
    Of two shaders that are linked the vertex shader is named first, then the fragment or the geometry shader:

        glslc-multi link lit.vert lit.frag --target agal
    """,
)

NOT_FOR_A_TERMINAL = _usage_error(
    "E0966",
    "machine code is no text for a terminal",
    """
    Bytes may be taken for commands of the terminal.  Write them to a file, or pass them on:

        glslc-multi lit.vert --target pica200 -o lit.shbin
        glslc-multi lit.vert --target pica200 -o - | xxd
    """,
)
