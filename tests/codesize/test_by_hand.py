"""Our code for what public programs by hand compute: right, and no longer than theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.codesize.cases import SizeCase, load_cases
from tests.codesize.meter import make_meter

FOLDER = Path(__file__).with_name("by_hand")
CASES = [(target, case) for target in ("agal", "pica200") for case in load_cases(FOLDER / target, target)]


@pytest.mark.parametrize(("target", "case"), CASES, ids=[f"{target}-{case.name}" for target, case in CASES])
def test_no_program_is_longer_than_by_hand(target: str, case: SizeCase) -> None:
    ((stage, peer),) = case.peers.items()
    measured = make_meter(target)(case)[stage]
    assert measured.wrong == ""
    assert peer.size is not None and measured.size <= peer.size


def test_every_program_has_a_size() -> None:
    for target in ("agal", "pica200"):
        files = {path.name for path in (FOLDER / target).iterdir()} - {"counts.json"}
        assert files == {case.name for of, case in CASES if of == target}
