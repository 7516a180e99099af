"""`#include`, which an extension permits."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from glslc_multi.compiler.diagnostics import Diagnostic
from glslc_multi.compiler.files import confined_to
from glslc_multi.frontends.glsl.preprocess.includes import COUNT_LIMIT, DEPTH_LIMIT
from glslc_multi.frontends.glsl.tokens import PreprocessedShader
from tests.frontends.glsl.preprocess.support import messages, run

ENABLE = "#extension GL_GOOGLE_include_directive : require\n"


def write(folder: Path, **files: str) -> None:
    for name, content in files.items():
        path = folder / name.replace("__", "/").replace("_glsl", ".glsl")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


def include(folder: Path, source: str, *dirs: Path) -> tuple[PreprocessedShader, list[Diagnostic]]:
    return run(ENABLE + source, name=str(folder / "main.frag"), include_dirs=[str(each) for each in dirs])


def texts(shader: PreprocessedShader) -> str:
    return " ".join(shader.tokens.texts[:-1])


@pytest.mark.parametrize("extension", ["GL_GOOGLE_include_directive", "GL_ARB_shading_language_include"])
@pytest.mark.parametrize("behaviour", ["require", "enable"])
def test_both_extensions_permit_includes(tmp_path: Path, extension: str, behaviour: str) -> None:
    write(tmp_path, a_glsl="#define A 7\nfoo")
    source = f'#extension {extension} : {behaviour}\n#include "a.glsl" // c\nA'
    shader, diagnostics = run(source, name=str(tmp_path / "main.frag"))
    assert (texts(shader), diagnostics) == ("foo 7", [])
    assert shader.dependencies == [str(tmp_path / "a.glsl")]


def test_without_an_extension_includes_are_errors() -> None:
    (found,) = run('#include "a.glsl"')[1]
    assert messages('#include "a.glsl"') == ["1:1-9: error: '#include' needs an extension [E0142]"]
    assert found.help == "add '#extension GL_GOOGLE_include_directive : require' at the top"


def test_quotes_look_beside_the_includer_first(tmp_path: Path) -> None:
    write(tmp_path, a_glsl="beside", one__a_glsl="one", one__b_glsl='#include "a.glsl"', two__a_glsl="two")
    write(tmp_path, two__c_glsl="c")
    one, two = tmp_path / "one", tmp_path / "two"
    assert texts(include(tmp_path, '#include "a.glsl"', one, two)[0]) == "beside"
    assert texts(include(tmp_path, "#include <a.glsl>", one, two)[0]) == "one"
    assert texts(include(tmp_path, "#include <a.glsl>", two, one)[0]) == "two"
    assert texts(include(tmp_path, '#include "b.glsl"\n#include "c.glsl"', one, two)[0]) == "one c"
    assert texts(include(tmp_path, '#include "one/a.glsl"')[0]) == "one"


def test_a_missing_file(tmp_path: Path) -> None:
    (found,) = include(tmp_path, '#include "none.glsl"', tmp_path / "inc")[1]
    assert (found.code, found.message) == ("E0144", "file 'none.glsl' is not found")
    assert found.notes == (f"searched in '{tmp_path}', '{tmp_path / 'inc'}'",)
    (found,) = include(tmp_path, "#include <none.glsl>")[1]
    assert found.notes == ("no folder is given by -I",)


@pytest.mark.parametrize("name", [".", "x" * 5000, "a\0b"])
def test_names_that_are_no_files(tmp_path: Path, name: str) -> None:
    assert [found.code for found in include(tmp_path, f'#include "{name}"')[1]] == ["E0144"]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="the superuser may read every file")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    write(tmp_path, a_glsl="x")
    (tmp_path / "a.glsl").chmod(0)
    (found,) = include(tmp_path, '#include "a.glsl"')[1]
    assert (found.code, found.message.split(": ")[-1]) == ("E0145", "permission denied")


@pytest.mark.parametrize("operand", ["", "a.glsl", '""', "<>", "<a.glsl", '"a.glsl" x', '"a.glsl'])
def test_malformed_operands(tmp_path: Path, operand: str) -> None:
    assert [found.code for found in include(tmp_path, f"#include {operand}")[1]] == ["E0143"]


def test_cycles_show_their_chain(tmp_path: Path) -> None:
    write(tmp_path, a_glsl='#include "b.glsl"', b_glsl='x\n#include "a.glsl"')
    (found,) = include(tmp_path, '#include "a.glsl"')[1]
    a, b = tmp_path / "a.glsl", tmp_path / "b.glsl"
    assert (found.code, found.message) == ("E0146", f"file '{a}' includes itself")
    assert found.notes == (f"'{a}' includes '{b}'", f"'{b}' includes '{a}'")
    assert found.span is not None
    assert found.span.location == f"{b}:2:1"


def test_the_main_file_must_not_be_included(tmp_path: Path) -> None:
    (tmp_path / "main.frag").write_text("x")
    assert [found.code for found in include(tmp_path, '#include "main.frag"')[1]] == ["E0146"]


def test_a_file_may_be_included_twice(tmp_path: Path) -> None:
    write(tmp_path, a_glsl="x")
    shader, diagnostics = include(tmp_path, '#include "a.glsl"\n#include "a.glsl"')
    assert (texts(shader), diagnostics, shader.dependencies) == ("x x", [], [str(tmp_path / "a.glsl")])


def test_depth_is_bounded(tmp_path: Path) -> None:
    for number in range(DEPTH_LIMIT + 5):
        write(tmp_path, **{f"a{number}_glsl": f'#include "a{number + 1}.glsl"\n'})
    assert [found.code for found in include(tmp_path, '#include "a0.glsl"')[1]] == ["E0148"]


def test_the_number_of_files_is_bounded(tmp_path: Path) -> None:
    for number in range(12):
        write(tmp_path, **{f"a{number}_glsl": f'#include "a{number + 1}.glsl"\n' * 2})
    write(tmp_path, a12_glsl="")
    codes = {found.code for found in include(tmp_path, '#include "a0.glsl"')[1]}
    assert codes == {"E0147"}
    assert COUNT_LIMIT < 2**12


def test_places_in_included_files_know_who_included_them(tmp_path: Path) -> None:
    write(tmp_path, a_glsl="ok\n$")
    (found,) = include(tmp_path, 'x\n#include "a.glsl"')[1]
    assert found.span is not None and found.span.file.included_at is not None
    assert found.span.location == f"{tmp_path / 'a.glsl'}:2:1"
    assert found.span.file.included_at.location == f"{tmp_path / 'main.frag'}:3:1"


def test_every_file_closes_its_own_groups(tmp_path: Path) -> None:
    write(tmp_path, a_glsl="#if 1\nx", b_glsl="#endif")
    assert [found.code for found in include(tmp_path, '#include "a.glsl"\ny')[1]] == ["E0122"]
    assert [found.code for found in include(tmp_path, '#if 1\n#include "b.glsl"\n#endif')[1]] == ["E0120"]


def test_file_and_line_numbers(tmp_path: Path) -> None:
    """`__FILE__` is the source string number (section 3.4): 0, then one more for each included file."""
    write(tmp_path, a_glsl="\n__FILE__ __LINE__\n#line 9 7\n__FILE__ __LINE__")
    shader, _ = include(tmp_path, '#include "a.glsl"\n__FILE__ __LINE__\n#include "a.glsl"\n')
    assert texts(shader) == "1 2 7 9 0 3 2 2 7 9"


def test_byte_order_marks_and_other_encodings(tmp_path: Path) -> None:
    (tmp_path / "a.glsl").write_bytes(b"\xef\xbb\xbfx // \xff\xfe\n")
    shader, (found,) = include(tmp_path, '#include "a.glsl"')
    assert (texts(shader), found.code) == ("x", "W0155")
    assert found.span is not None and found.span.location == f"{tmp_path / 'a.glsl'}:1:6"


def test_only_files_below_the_shader_and_below_include_folders_are_read(tmp_path: Path) -> None:
    write(tmp_path, a_glsl="secret", in__main_glsl="", in__b_glsl="b", lib__c_glsl='#include "../in/b.glsl"')

    def codes(name: str, *dirs: Path) -> list[str]:
        source = f'{ENABLE}#include "{name}"'
        found = run(source, name=str(tmp_path / "in" / "main.frag"), include_dirs=[str(each) for each in dirs])[1]
        return [each.code for each in found]

    outside, permitted = ["E0155"], list[str]()
    assert codes("../a.glsl") == codes(str(tmp_path / "a.glsl")) == codes("none/../../a.glsl") == outside
    assert codes("../in/b.glsl") == codes(str(tmp_path / "in" / "b.glsl")) == permitted
    assert codes("../a.glsl", tmp_path) == codes(str(tmp_path / "a.glsl"), Path("/")) == permitted
    # Included files may read what the shader may.
    assert codes("c.glsl", tmp_path / "lib") == permitted
    # Nobody learns whether there is such a file.
    assert codes("../none.glsl") == outside


def test_who_is_confined_follows_no_link_that_leads_out(tmp_path: Path) -> None:
    write(tmp_path, secret_glsl="secret", in__main_glsl="", in__b_glsl="b")
    inside = tmp_path / "in"
    (inside / "out.glsl").symlink_to(tmp_path / "secret.glsl")
    (inside / "folder").symlink_to(tmp_path)
    (inside / "same.glsl").symlink_to(inside / "b.glsl")
    (inside / "circle.glsl").symlink_to(inside / "circle.glsl")
    assert texts(include(inside, '#include "out.glsl"')[0]) == "secret"
    with confined_to(inside):
        assert texts(include(inside, '#include "same.glsl"')[0]) == "b"
        for name in ("out.glsl", "folder/secret.glsl", "circle.glsl"):
            assert [each.code for each in include(inside, f'#include "{name}"')[1]] == ["E0155"]
        # Not even where a folder of -I permits it.
        assert [each.code for each in include(inside, "#include <secret.glsl>", tmp_path)[1]] == ["E0155"]
    assert texts(include(inside, '#include "out.glsl"')[0]) == "secret"
