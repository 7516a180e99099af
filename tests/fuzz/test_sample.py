"""A sample of the inputs; `make fuzz` runs a million of the front end and fifty thousand of the whole compiler."""

from __future__ import annotations

import pytest

from tests.fuzz.campaign import open_campaign
from tests.fuzz.case import Mode
from tests.fuzz.workers import Limits

#: As many as take some six seconds each.
COUNTS: dict[Mode, int] = {"frontend": 1500, "compiler": 200}
SEED = 2024


@pytest.mark.thorough
@pytest.mark.parametrize("mode", COUNTS)
def test_inputs_end_in_a_result_or_in_messages(mode: Mode) -> None:
    campaign = open_campaign(mode, SEED)
    # How fast this machine is, is not the question here.
    campaign.limits = Limits(seconds=100, waiting=1000)
    campaign.run(COUNTS[mode])
    assert campaign.state.findings == []
    outcomes = campaign.state.by_outcome()
    assert outcomes["accepted"] > COUNTS[mode] // 10
    assert outcomes["rejected"] > COUNTS[mode] // 10
