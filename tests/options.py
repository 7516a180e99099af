"""Options that all tests share, and what every run does.

`pytest --accept` rewrites recorded output instead of comparing it, `--sample` runs a few cases of each test function,
`--for FILE` what belongs to a file of the product.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.belonging import belonging_to
from tests.sample import sample
from tests.times import Times


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="write what came out over what is recorded; review the diff")
    parser.addoption("--sample", action="store_true", help="run a few cases of each test function")
    parser.addoption(
        "--for",
        dest="product_files",
        metavar="FILE",
        type=Path,
        action="append",
        help="run the tests that belong to a file of the product",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "thorough: takes too long for a sample of the tests")
    config.pluginmanager.register(Times())
    # Processes of xdist are told what to run.
    if (files := config.getoption("product_files")) and not hasattr(config, "workerinput"):
        config.args = [str(test) for file in files for test in belonging_to(file)]
        if not config.args:
            raise pytest.UsageError(f"no test belongs to {', '.join(map(str, files))}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--sample"):
        kept = sample(items)
        config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
        items[:] = kept


@pytest.fixture
def accept(request: pytest.FixtureRequest) -> bool:
    """Whether recorded output is to be rewritten."""
    return bool(request.config.getoption("--accept"))
