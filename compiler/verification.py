"""The code checked after every step of a compilation (`--verify-each`), so that the step that breaks a rule is named.

    with verifying(request.verify_each):
        run_pipeline(module, pipeline)

What passes leave is judged by the rules of the IR, what steps of code generation leave by those of machine code.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from compiler.trace import watcher, watching


class BrokenByStep(Exception):
    """A step left code that breaks a rule: an error of the compiler, not of the shader."""


@contextmanager
def verifying(verify_each: bool) -> Iterator[None]:
    """Check the code after every step, if that is asked for, and show it to who watches already."""
    if not verify_each:
        yield
        return
    outer = watcher()

    def verify(step: str, code: object) -> None:
        require_sound(step, code)
        if outer is not None:
            outer(step, code)

    with watching(verify):
        yield


def require_sound(step: str, code: object) -> None:
    """Raise where a step left a module or a machine function that breaks a rule."""
    from compiler.codegen.machine import MachineFunction
    from compiler.codegen.verify import verify_machine
    from compiler.ir.module import Module
    from compiler.ir.verify import verify_module

    if isinstance(code, Module):
        faults = [fault.text for fault in verify_module(code)]
    else:
        assert isinstance(code, MachineFunction)
        faults = verify_machine(code)
    if faults:
        raise BrokenByStep(f"'{step}' broke a rule: {faults[0]}")
