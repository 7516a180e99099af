"""HLSL, Slang and WGSL: an outside compiler, found on the path, makes SPIR-V of the source; the rest is this front end.

The compiler runs in a folder of its own, on a copy of the source under its name, so that nothing is written elsewhere.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import ClassVar

from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile, Span
from glslc_multi.compiler.diagnostics.catalogue import spirv as messages
from glslc_multi.compiler.files import is_confined, note_read, note_unrepeatable
from glslc_multi.compiler.frontend import FrontEndOptions, Prepared, Source
from glslc_multi.compiler.records import dataclass, replace
from glslc_multi.frontends.spirv.confined import Copies
from glslc_multi.frontends.spirv.frontend import Spirv, text_of

#: What the compiler may take: time, and bytes, which a file that includes itself would fill.
_SECONDS = 120
_MEMORY = 1 << 30
_ENTRY_HELP = "name the function of the stage with --entry; --entry VERTEX,FRAGMENT names those of a pair"
_INSTALL_HELP = "install one, and put its folder on the path"
_MEMORY_HELP = "see whether a file includes itself"
_SHORT = {"vertex": "vert", "fragment": "frag"}
_PROFILES = {"vertex": "vs_6_0", "fragment": "ps_6_0"}
#: A line of a compiler's messages that names a place: `ERROR: name:line:`, `name:line:column:` or `name(line)`.
_PLACE = re.compile(r"(?:^|[\s:])(?P<name>[^\s:()]+)[:(](?P<line>\d+)")
#: A name in a rule of make, where blanks and the like have a backslash before them.
_NAME_IN_RULE = re.compile(r"(?:\\[^\n]|[^\s\\])+")
#: The line below the source's, of a compiler that says there what is wrong.
_LABEL = re.compile(r"\|\s*\^+ +(?P<label>\S.*)")


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be compiled."""

    name: str
    stage: str
    options: FrontEndOptions
    folders: Sequence[str]
    #: The function of the stage; "" where the text marks it.
    entry: str

    def macros(self) -> list[str]:
        return [f"-D{name}={value}" for name, value in self.options.defines.items()]


#: What compilers are told to write: the module, and a rule of make that names the files that it depends on.
_MODULE, _RULE = "shader.spv", "shader.d"
#: A module, and the files that it includes; b"" where there is none.
Compiled = tuple[bytes, Sequence[str]]
_NOTHING: Compiled = b"", ()
#: A compiler's command: the name of the program, and its arguments for a job.
Tool = tuple[str, Callable[[Job], list[str]]]


def _glslang(job: Job) -> list[str]:
    folders = [f"-I{folder}" for folder in job.folders]
    return [
        *("-D", "-V", "-g", "--amb", "--aml", "-S", _SHORT[job.stage], "-e", job.entry, *job.macros(), *folders),
        *("--depfile", _RULE, job.name, "-o", _MODULE),
    ]


def _glslc(job: Job) -> list[str]:
    places = ("-fauto-bind-uniforms", "-fauto-map-locations")
    folders = [word for folder in job.folders for word in ("-I", folder)]
    stage = (f"-fshader-stage={_SHORT[job.stage]}", f"-fentry-point={job.entry}")
    return ["-x", "hlsl", "-g", *places, *stage, *job.macros(), *folders, "-MD", "-MF", _RULE, job.name, "-o", _MODULE]


def _dxc(job: Job) -> list[str]:
    folders = [word for folder in job.folders for word in ("-I", folder)]
    profile = ("-spirv", "-Zi", "-T", _PROFILES[job.stage], "-E", job.entry)
    # It either compiles or says which files there are.
    return [*profile, *job.macros(), *folders, job.name, "-Fo", _MODULE]


def _slangc(job: Job) -> list[str]:
    folders = [word for folder in job.folders for word in ("-I", folder)]
    entry = ("-stage", job.stage, "-entry", job.entry) if job.entry else ()
    # Its own optimiser comes from a library that not every distribution has.
    form = ("-target", "spirv", "-O0", "-g", "-fvk-use-entrypoint-name")
    return [job.name, *form, *entry, *job.macros(), *folders, "-depfile", _RULE, "-o", _MODULE]


class Foreign(Spirv):
    """A language that outside compilers read."""

    is_binary = False
    tools: ClassVar[tuple[Tool, ...]]

    def takes(self, filename: str, content: str | bytes) -> bool:
        return PurePath(filename).suffix in self.stage_of_suffix

    def stage_of(self, filename: str, content: str | bytes) -> str:
        """That of the suffix before the last, as in `lit.vert.hlsl`."""
        return _STAGES_OF_NAMES.get(PurePath(PurePath(filename).stem).suffix, "")

    def prepare(self, source: Source, stage: str | None, options: FrontEndOptions, sink: DiagnosticSink) -> Prepared:
        compiled_as = "vertex" if stage in (None, "coordinate") else str(stage)
        binary, dependencies = self._compile(source, compiled_as, options, sink)
        sink.raise_if_errors()
        options = self.options_for_module(options)
        return Prepared(source, self.read(binary, source.filename, options, sink), dependencies)

    def entry_of(self, source: Source, stage: str, options: FrontEndOptions) -> str:
        """Return the function that the compiler is told; "" where it finds the text's own marks."""
        return options.entry_of(stage) or "main"

    def options_for_module(self, options: FrontEndOptions) -> FrontEndOptions:
        """Compilers of HLSL make modules of one entry point, which they may rename."""
        return replace(options, entry="")

    def _compile(self, source: Source, stage: str, options: FrontEndOptions, sink: DiagnosticSink) -> Compiled:
        """Make the module; the sink has what is wrong."""
        found = next(((path, make) for name, make in self.tools if (path := shutil.which(name))), None)
        if found is None or stage not in _SHORT:
            names = ", ".join(name for name, _ in self.tools)
            sink.report(messages.NO_COMPILER, help=_INSTALL_HELP, language=self.name, tools=names)
            return _NOTHING
        # Which release the compiler is, and where it has looked for files, is not known here.
        note_unrepeatable()
        path, make = found
        folder = Path(source.filename).parent
        name = PurePath(source.filename).name or "shader"
        folders = [str(each.absolute()) for each in (folder, *map(Path, options.include_dirs))]
        reached, entry = ["."] if is_confined() else folders, self.entry_of(source, stage, options)
        # A path from here is no option, whatever the name begins with.
        command = [path, *make(Job(f"./{name}", stage, options, reached, entry))]
        if options.verbose:
            sink.report(messages.COMPILER_RUN, command=shlex.join(command))
        return _run(command, name, source, options.include_dirs, sink)


def _run(command: list[str], name: str, source: Source, include_dirs: Sequence[str], sink: DiagnosticSink) -> Compiled:
    with TemporaryDirectory() as folder:
        try:
            text = source.text
            if is_confined():
                text = Copies(Path(folder), include_dirs).confine(text, Path(source.filename).parent)
            Path(folder, name).write_text(text, encoding="utf-8")
            done = _bounded_run(command, folder)
        except (OSError, ValueError, subprocess.TimeoutExpired) as error:
            sink.report(messages.COMPILER_FAILED, tool=PurePath(command[0]).name, message=str(error))
            return _NOTHING
        result = Path(folder, _MODULE)
        if done.returncode == 0 and result.exists():
            return result.read_bytes(), _included(Path(folder).resolve())
        tool = PurePath(command[0]).name
        if "bad_alloc" in done.stderr or "out of memory" in done.stderr.lower():
            message = f"it needs more than {_MEMORY >> 20} MB of memory"
            sink.report(messages.COMPILER_FAILED, tool=tool, message=message, help=_MEMORY_HELP)
        else:
            _report((done.stdout + done.stderr).replace(f"./{name}", name), tool, name, source, sink)
        return _NOTHING


def _included(folder: Path) -> Sequence[str]:
    """Find what a compiler has read outside of its folder, by the rule that it has left there."""
    paths: dict[str, None] = {}
    with suppress(OSError, ValueError):
        _, _, names = Path(folder, _RULE).read_text(encoding="utf-8").partition(": ")
        for name in _NAME_IN_RULE.findall(names):
            path = folder / re.sub(r"\\([ #:\[\]\\])", r"\1", name).replace("$$", "$")
            if path.is_file() and not path.resolve().is_relative_to(folder):
                note_read(str(path), path.read_bytes())
                paths[str(path)] = None
    return list(paths)


def _bounded_run(command: list[str], folder: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, with bounds of time and, where the system has such, of memory."""
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", errors="replace"
    ) as process:
        # Not in the child before the command: that may hang where there are threads.
        with suppress(ImportError, AttributeError, OSError, ValueError):
            import resource

            # What may be written, not all addresses: WebAssembly (naga's) reserves gigabytes of these and fills few.
            resource.prlimit(process.pid, resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
            resource.prlimit(process.pid, resource.RLIMIT_CORE, (0, 0))
        try:
            output, errors = process.communicate(timeout=_SECONDS)
        except BaseException:
            process.kill()
            raise
        return subprocess.CompletedProcess(command, process.returncode, output, errors)


def _report(output: str, tool: str, name: str, source: Source, sink: DiagnosticSink) -> None:
    """Report the first error of a compiler, at its line; else its word on the entry point, which glslang warns of."""
    said = [line.strip() for line in output.splitlines()]
    errors = [line for line in said if "error" in line.lower()]
    entries = [line for line in said if "entry point" in line.lower()]
    message = next(iter(errors or entries), "it made no module")
    help = _ENTRY_HELP if message in entries else None
    # Slang and naga write the place below the message, then the line and what is wrong there.
    below = said[said.index(message) + 1 :] if message in said else []
    places = [*_PLACE.finditer("\n".join([message, *below[:1]]))]
    label = next((match["label"] for line in below[1:4] if (match := _LABEL.match(line))), "")
    if label not in message:
        kind, colon, problem = message.partition(": ")
        message = f"{kind}{colon}{label}" if label.startswith(problem) else f"{message}: {label}"
    match = next((each for each in places if each["name"] == name), None)
    span = None
    if match is not None:
        file = SourceFile(source.filename, source.text)
        number = max(int(match["line"]), 1)
        text = file.line_text(number)
        span = Span(file, number, len(text) - len(text.lstrip()) + 1, number, max(len(text), 1) + 1)
    elif below and (elsewhere := _PLACE.search(below[0])):
        message += f" ({elsewhere['name']}:{elsewhere['line']})"
    sink.report(messages.COMPILER_FAILED, span, tool=tool, message=message, help=help)


_STAGES_OF_NAMES = {
    ".vert": "vertex",
    ".vs": "vertex",
    ".frag": "fragment",
    ".fs": "fragment",
    ".ps": "fragment",
}


class Hlsl(Foreign):
    """HLSL, with the entry point `main` unless `--entry` names another."""

    name = "hlsl"
    description = "HLSL, where glslangValidator, glslc, dxc or slangc is installed"
    stage_of_suffix: ClassVar[Mapping[str, str]] = {".hlsl": ""}
    tools = (("glslangValidator", _glslang), ("glslc", _glslc), ("dxc", _dxc), ("slangc", _slangc))


class Marked(Foreign):
    """A language whose texts mark their entry points."""

    #: What stands before an entry point of a stage.
    mark: ClassVar[re.Pattern[str]]

    def stage_of(self, filename: str, content: str | bytes) -> str:
        stages = self.marked_stages(content)
        return stages.pop() if len(stages) == 1 else super().stage_of(filename, content)

    def options_for_module(self, options: FrontEndOptions) -> FrontEndOptions:
        return options

    def marked_stages(self, content: str | bytes) -> set[str]:
        return {"fragment" if word == "pixel" else word for word in self.mark.findall(text_of(content))}


class Slang(Marked):
    """Slang; where nothing is marked, the entry point is `main` unless `--entry` names another."""

    name = "slang"
    description = "Slang, where slangc is installed"
    stage_of_suffix: ClassVar[Mapping[str, str]] = {".slang": ""}
    tools = (("slangc", _slangc),)
    mark = re.compile(r'\[\s*shader\s*\(\s*"(vertex|fragment|pixel)"')

    def entry_of(self, source: Source, stage: str, options: FrontEndOptions) -> str:
        is_marked = stage in self.marked_stages(source.content)
        return options.entry_of(stage) or ("" if is_marked else "main")


class Wgsl(Marked):
    """WGSL, whose text marks all entry points."""

    name = "wgsl"
    description = "WGSL, where naga or tint is installed"
    stage_of_suffix: ClassVar[Mapping[str, str]] = {".wgsl": ""}
    tools = (
        ("naga", lambda job: [job.name, _MODULE]),
        ("tint", lambda job: ["--format", "spirv", "-o", _MODULE, job.name]),
    )
    mark = re.compile(r"@(vertex|fragment)\b")


HLSL, SLANG, WGSL = Hlsl(), Slang(), Wgsl()
