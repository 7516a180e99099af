"""The verdict on finished code: the rules of the hardware and of the Linux driver, on the decoded words."""

from __future__ import annotations

from backends.vc4.codegen.abi import TARGET_NAME
from backends.vc4.codegen.finalize import Code
from backends.vc4.codegen.stream import STREAM_ADDRESS
from backends.vc4.isa.program import Stage
from backends.vc4.isa.validate import validate
from backends.vc4.isa.validate_driver import check
from compiler.codegen.invalid import require_valid

_STREAM_WORD = 4


def judge(code: Code, stage: Stage) -> None:
    """Require that the words keep all rules, and extend the stream to the length that the driver derives."""
    verdict = check(code.words)
    require_valid(TARGET_NAME, validate(code.words, stage) or ([] if verdict.fault is None else [verdict.fault]))
    derived = verdict.uniforms_size // _STREAM_WORD
    missing = derived - len(code.stream)
    if missing not in (0, 1):
        require_valid(TARGET_NAME, [f"the stream has {len(code.stream)} words, the driver derives {derived}"])
    code.stream += [STREAM_ADDRESS] * missing
