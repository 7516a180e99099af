"""Every form of every rule has a witness, in which it fires and the code computes what the shader means."""

from __future__ import annotations

import pytest

from backends.registry import load_target, target_names
from compiler.diagnostics import CompileError
from tests.witnesses.forms import forms_of, shown_forms
from tests.witnesses.run import Compiled, compile_witness
from tests.witnesses.witness import SHARED, Witness, accept_size, load

OWN = [witness for target in target_names() for witness in load(target)]
COMMON = load(SHARED)


@pytest.mark.parametrize("folder", [*target_names(), SHARED])
def test_every_form_has_a_witness(folder: str) -> None:
    shown, forms = shown_forms(folder), forms_of(folder)
    assert sorted(forms - shown) == []
    assert sorted(shown - forms) == [], "there are no such forms"


@pytest.mark.parametrize("witness", OWN, ids=lambda witness: witness.place)
def test_forms_of_a_target(witness: Witness, accept: bool) -> None:
    compiled = compile_witness(witness, witness.folder)
    assert [form for form in witness.forms if form not in compiled.fired] == []
    assert compiled.complaint() == ""
    check_size(witness, witness.folder, compiled, accept)


@pytest.mark.parametrize("witness", COMMON, ids=lambda witness: witness.place)
def test_shared_forms(witness: Witness, accept: bool) -> None:
    """They fire on a target at least; the values are right wherever the program fits."""
    fired: set[str] = set()
    for target in filter(witness.suits, map(load_target, target_names())):
        try:
            compiled = compile_witness(witness, target.name)
        except CompileError as error:
            assert all(diagnostic.code.startswith("E07") for diagnostic in error.diagnostics), f"{target.name}: {error}"
            continue
        fired |= compiled.fired
        # Bytes of 0 to 1 do not hold the values of witnesses.
        assert compiled.artifact.stats.error_steps is not None or compiled.complaint() == "", target.name
        check_size(witness, target.name, compiled, accept)
    assert [form for form in witness.forms if form not in fired] == []


def check_size(witness: Witness, target: str, compiled: Compiled, accept: bool) -> None:
    """The code is as long as the witness says, if it says it."""
    size = compiled.size
    if accept and witness.sizes.get(target, size) != size:
        accept_size(witness, target, size)
    elif target in witness.sizes:
        assert size == witness.sizes[target], target
