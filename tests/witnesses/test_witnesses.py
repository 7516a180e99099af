"""Every statement of the rules is reached by a witness, whose code computes what the shader means."""

from __future__ import annotations

import pytest

from glslc_multi.backends.registry import target_names
from glslc_multi.compiler.diagnostics import CompileError
from tests.shared_data import PROJECT_ROOT
from tests.witnesses.reach import unreached
from tests.witnesses.run import Compiled, compile_witness, targets_of
from tests.witnesses.statements import elsewhere
from tests.witnesses.witness import SHARED, Witness, accept_size, load

OWN = [witness for target in target_names() for witness in load(target)]
COMMON = load(SHARED)


def test_every_rule_has_a_witness() -> None:
    assert unreached() == []


def test_what_is_elsewhere_is_there() -> None:
    for key, tests in elsewhere().items():
        path, _, part = key.partition(": ")
        files = [file for file in PROJECT_ROOT.glob(path) if file.is_file()]
        assert any(part in file.read_text(encoding="utf-8") for file in files), key
        assert (PROJECT_ROOT / tests).exists(), tests


#: Seeds of a hundred more edges, on which code of another size runs.
MORE = range(2, 9)


@pytest.mark.parametrize("witness", OWN, ids=lambda witness: witness.place)
def test_rules_of_a_target(witness: Witness, accept: bool) -> None:
    compiled = compile_witness(witness, witness.folder)
    assert compiled.complaint() == ""
    check_size(witness, witness.folder, compiled, accept)


@pytest.mark.parametrize("witness", COMMON, ids=lambda witness: witness.place)
def test_shared_rules(witness: Witness, accept: bool) -> None:
    """The values are right wherever the program fits."""
    for target in targets_of(witness):
        try:
            compiled = compile_witness(witness, target)
        except CompileError as error:
            assert all(diagnostic.code.startswith("E07") for diagnostic in error.diagnostics), f"{target}: {error}"
            continue
        # Bytes of 0 to 1 do not hold the values of witnesses.
        assert compiled.artifact.stats.error_steps is not None or compiled.complaint() == "", target
        check_size(witness, target, compiled, accept)


def check_size(witness: Witness, target: str, compiled: Compiled, accept: bool) -> None:
    """The code is as long as the witness says, if it says it; where it is not, values come first."""
    recorded = witness.sizes.get(target, compiled.size)
    if compiled.size == recorded:
        return
    if compiled.artifact.stats.error_steps is None:
        assert [complaint for seed in MORE if (complaint := compiled.complaint(seed))] == [], target
    if accept:
        accept_size(witness, target, compiled.size)
    else:
        assert compiled.size == recorded, f"{target}: sizes changed; the values are right"
