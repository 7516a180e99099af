"""What packagers take: recipes are filled in, agree with the project, and are accepted by what reads them."""

from __future__ import annotations

import hashlib
import re
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

from glslc_multi.compiler import __version__
from tests.packaging.environment import lint, run_checked
from tests.shared_data import PROJECT_ROOT

PACKAGING = PROJECT_ROOT / "packaging"
PROJECT = tomllib.loads((PROJECT_ROOT / "pyproject.toml").read_text(encoding="utf-8"))
URL, HOMEPAGE = "https://example.org/glslc_multi.tar.gz", "https://example.org"
LINTERS = {
    "glslc-multi.rb": ["ruby", "-c"],
    # Variables are for makepkg, and come from it.
    "PKGBUILD": ["shellcheck", "--shell", "bash", "--exclude", "SC2034,SC2154"],
    "Dockerfile": ["hadolint"],
}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recipes")
    sdist = folder / "sdist"
    sdist.write_bytes(b"an sdist")
    run_checked([sys.executable, str(PACKAGING / "recipes" / "fill.py"), str(sdist), URL, HOMEPAGE, str(folder)])
    return folder


@pytest.mark.parametrize("name", ["recipe.yaml", "glslc-multi.rb", "PKGBUILD"])
def test_recipes_name_what_they_install(name: str, filled: Path) -> None:
    text = (filled / name).read_text(encoding="utf-8")
    assert re.findall("@[A-Z0-9]+@", text) == []
    # The formula learns the version from the address.
    expected = [URL, HOMEPAGE, hashlib.sha256(b"an sdist").hexdigest()] + [__version__] * (name != "glslc-multi.rb")
    assert [value for value in expected if value not in text] == []


def test_recipes_need_what_the_project_needs(filled: Path) -> None:
    needed = PROJECT["project"]["dependencies"]
    conda = (filled / "recipe.yaml").read_text(encoding="utf-8")
    assert sorted(re.findall(r"- ((?:networkx|pyparsing).*)", conda)) == sorted(
        re.sub("(>=.*)", r" \1", each) for each in needed
    )
    names = {re.split("[>=]", each)[0] for each in needed}
    (depends,) = re.findall(r"^depends=\((.*)\)$", (filled / "PKGBUILD").read_text(encoding="utf-8"), re.MULTILINE)
    assert {word.strip("'") for word in depends.split()} == {"python", *(f"python-{name}" for name in names)}
    (python,) = re.findall(r"python (>=.*)", conda.partition("run:")[2])
    assert python == PROJECT["project"]["requires-python"]


def test_the_formula_installs_what_there_is(filled: Path) -> None:
    for name in re.findall(r'install "([^"]+)"', (filled / "glslc-multi.rb").read_text(encoding="utf-8")):
        assert (PROJECT_ROOT / name).is_file()


@pytest.mark.parametrize("name", LINTERS)
def test_linters_accept_it(name: str, filled: Path) -> None:
    linter, *options = LINTERS[name]
    path = PACKAGING / "docker" / name if name == "Dockerfile" else filled / name
    lint([linter, *options, str(path)])


def test_conda_renders_its_recipe(filled: Path) -> None:
    if find_spec("rattler_build") is None:
        pytest.skip("py-rattler-build is not installed")
    from rattler_build import Stage0Recipe

    (rendered,) = Stage0Recipe.from_yaml((filled / "recipe.yaml").read_text(encoding="utf-8")).render()
    recipe = rendered.recipe
    assert (recipe.package.name, recipe.package.version) == ("glslc-multi", __version__)
