"""One case: the compiler is run on it in this process, and what comes of it is judged.

Whoever calls this bounds time and memory (`workers.py`): a fault that ends the process is no exception here.
"""

from __future__ import annotations

import io
import os
import re
import tempfile
import traceback
from collections.abc import Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import cast
from unittest.mock import patch

from glslc_multi.cli.main import main
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.diagnostics.model import exit_status
from glslc_multi.compiler.diagnostics.render import FORMATS, render
from glslc_multi.compiler.ir.verify import verify_module
from glslc_multi.frontends.glsl.symbols import Stage
from tests.frontends.glsl.shaders import compile_shader
from tests.fuzz.case import OUTCOMES, Case, Verdict, finding
from tests.fuzz.commands import OUTPUT
from tests.fuzz.texts import STAGE_OF_SUFFIX

_OUR_FRAME = re.compile(r'File ".*?((?:compiler|frontends|backends|glslc_multi|runtime)/[^"]+)", line \d+, in (\S+)')
#: What differs between messages about the same fault: numbers, and what is quoted.
_VARYING = re.compile(r"\d+|'[^']*'|\"[^\"]*\"")
#: Text and pages; and theia's images for icarus, whose variant neither the file nor the assembler's text can name, so
#: that `dis` refuses them (E0809).
_NOT_DISASSEMBLED = frozenset({"--emit", "-S", "--variant=icarus"})


def attempt(case: Case) -> Verdict:
    """What comes of a case."""
    try:
        return _compile(case) if case.arguments else _read(case)
    except MemoryError:
        raise
    except Exception:
        return _traceback(traceback.format_exc())


def _traceback(text: str) -> Verdict:
    """The finding of an exception: told from others by its type, message and innermost function of ours."""
    frames = _OUR_FRAME.findall(text)
    place = " in {1} of {0}".format(*frames[-1]) if frames else ""
    # The message begins at the margin after the frames, and may have several lines.
    lines = text[text.rfind('\n  File "') + 1 :].splitlines()
    kind, _, message = next((line for line in lines if line[:1].strip()), "").partition(":")
    words = _VARYING.sub("", message)[:80].rstrip()
    return finding(f"{kind}{place}" + (f":{words}" if words else ""), text[-6000:])


# ---------------------------------------------------------------------------------------- the front end alone
def _read(case: Case) -> Verdict:
    ((name, data),) = case.files.items()
    stage = cast("Stage", STAGE_OF_SUFFIX[Path(name).suffix])
    # Callers of the Python interface may hand over any string, lone surrogates too.
    text = data.decode("utf-8", "surrogateescape")
    try:
        module = compile_shader(text, filename=name, stage=stage, compat=True, sink=DiagnosticSink())
    except CompileError as error:
        return _judge_messages(error, len(data))
    faults = verify_module(module, final=True)
    return finding("accepted, but the IR breaks a rule", str(faults[0])) if faults else Verdict("accepted")


def _judge_messages(error: CompileError, size: int) -> Verdict:
    status = exit_status(error.diagnostics)
    if status not in (1, 3):
        return finding(f"exit status {status}", error.summary)
    render(error.diagnostics, FORMATS[size % len(FORMATS)], color=False)
    lost = [diagnostic for diagnostic in error.diagnostics if diagnostic.span is None]
    if lost:
        return finding(f"a message without a place [{lost[0].code}]", lost[0].message)
    return Verdict(OUTCOMES[status])


# ---------------------------------------------------------------------------------------- the whole compiler
def _compile(case: Case) -> Verdict:
    """Run the command line in an empty folder, and look at what is in it then."""
    with tempfile.TemporaryDirectory(prefix="fuzz", dir=_fast_folder()) as folder, chdir(folder):
        for name, data in case.files.items():
            Path(name).write_bytes(data)
        status, messages = run_command(case.arguments)
        if status not in OUTCOMES:
            return _internal_error(status, messages)
        made = sorted({path.name for path in Path().iterdir()} - set(case.files))
        if status != 0:
            return (
                finding("files are left though it failed", f"{made}\n{messages}") if made else Verdict(OUTCOMES[status])
            )
        return _judge_files(case, made)


def _judge_files(case: Case, made: Sequence[str]) -> Verdict:
    # Of host code for AGAL it is a class, whose name is capitalised.
    if not any(name.lower().startswith(OUTPUT) for name in made):
        return finding("no file though it succeeded", str(made))
    partial = [name for name in made if name.endswith(".part") or not Path(name).stat().st_size]
    if partial:
        return finding("a partial file", str(partial))
    target = case.arguments[case.arguments.index("--target") + 1]
    if not _NOT_DISASSEMBLED.isdisjoint(case.arguments):
        return Verdict("accepted")
    for name in made:
        if name.startswith(OUTPUT) and Path(name).suffix == Path(case.arguments[-1]).suffix:
            status, messages = run_command(("dis", name, "--target", target, "-o", "disassembly"))
            if status:
                return finding(f"no disassembly of its own output for {target}", messages)
    return Verdict("accepted")


def run_command(arguments: Sequence[str]) -> tuple[int, str]:
    """The exit status of a command line, and what it wrote to standard error."""
    output, errors = (io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace") for _ in range(2))
    with redirect_stdout(output), redirect_stderr(errors), patch.dict(os.environ, GLSLC_MULTI_TRACEBACK="1"):
        status = main(arguments)
    errors.flush()
    return status, errors.buffer.getvalue().decode("utf-8", "replace")


def _internal_error(status: int, messages: str) -> Verdict:
    if "MemoryError" in messages:
        raise MemoryError
    start = messages.find("Traceback")
    if start < 0:
        return finding(f"exit status {status}", messages)
    return _traceback(messages[start:])


def _fast_folder() -> str | None:
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
