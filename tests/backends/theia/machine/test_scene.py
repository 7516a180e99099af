"""The chip around a pixel shader: what each pixel gets to see."""

from __future__ import annotations

import pytest

from glslc_multi.backends.theia.isa.registers import BY_NAME
from glslc_multi.backends.theia.machine.scene import RenderingFailed, Scene, render
from tests.backends.theia.helpers import program_of

_ONE = 0x20000
_AT = BY_NAME["trunk"]


Row = tuple[int, int, int]


def row(x: float, y: float, z: float) -> Row:
    x, y, z = (lane * _ONE for lane in (x, y, z))
    return int(x) & 0xFFFFFFFF, int(y) & 0xFFFFFFFF, int(z) & 0xFFFFFFFF


#: A camera above the origin that looks down on a window of 4 by 4.
REGISTERS = {
    _AT["CREG_CAMERA_POSITION"]: row(0, 0, 4),
    _AT["CREG_PROJECTION_WINDOW_MIN"]: row(-2, -2, 0),
    _AT["CREG_PROJECTION_WINDOW_MAX"]: row(2, 2, 0),
    _AT["CREG_RESOLUTION"]: row(4, 4, 0),
}
CORNERS = {"V0": row(-2, -2, 0), "V1": row(2.5, -2, 0), "V2": row(-2, 2.5, 0)}
TRIANGLE = CORNERS | {"UV0": row(0, 0, 0), "UV1": row(1, 0, 0), "UV2": row(0, 1, 0), "TRI_DIFFUSE": row(0.5, 0, 0)}
SHOW = "OMWRITE OREG_PIXEL_COLOR CREG_CURRENT_OUTPUT_PIXEL"


def image(
    *lines: str, cores: int = 1, triangles: tuple[dict[str, tuple[int, int, int]], ...] = ()
) -> list[list[list[int]]]:
    program = program_of("ENTRYPOINT_ADRR_PIXELSHADER:", *lines, "RETURN RT_TRUE")
    return render(program, Scene(4, 4, REGISTERS, triangles, cores))


def test_each_pixel_knows_its_place() -> None:
    found = image("SETX C1 32'h4000", "SWIZZLE3D C1 SWIZZLE_XXX", "MUL R1 CREG_PIXEL_2D_POSITION C1", f"{SHOW} R1")
    assert found == [[[32 * x, 32 * y, 0] for x in range(4)] for y in range(4)]


def test_the_ray_has_length_one_and_goes_through_the_pixel() -> None:
    found = image("DOT R1 CREG_RAY_DIRECTION CREG_RAY_DIRECTION", f"{SHOW} R1")
    assert all(abs(channel - 255) <= 1 for line in found for pixel in line for channel in pixel)
    found = image("INC R1 CREG_RAY_DIRECTION VOID", f"{SHOW} R1")
    assert found[2][2][:2] == [255, 255], "straight down: x = y = 0"
    assert found[2][0][0] == int((1 - 2 / 20**0.5) * 256)


def test_hits_leave_their_values_and_misses_keep_them() -> None:
    shown = image(f"{SHOW} CREG_TRI_DIFFUSE_LAST", triangles=(TRIANGLE,))
    assert shown[0][0] == [128, 0, 0]
    assert shown[3][3] == [128, 0, 0], "beyond the triangle, the value of the last hit"
    distance = image("SETX C1 32'h4000", "MUL R1 CREG_LAST_t C1", f"{SHOW} R1", triangles=(TRIANGLE,))
    assert distance[2][2][0] == 128, "straight down: an eighth of 4"
    missed = image("SETX C1 32'h1F40000", "SUB R1 CREG_LAST_t C1", f"{SHOW} R1", triangles=(TRIANGLE,))
    assert missed[3][3][0] == 0, "250 means a miss"
    coordinate = image(f"{SHOW} CREG_LAST_u", triangles=(TRIANGLE,))
    assert abs(coordinate[0][2][0] - 2 / 4.5 * 256) <= 2


def test_the_background_is_bright_red_but_for_the_first_pixel_of_a_core() -> None:
    found = image(f"{SHOW} CREG_TEXTURE_COLOR", cores=2)
    red, black = [255, 0, 0], [0, 0, 0]
    assert found == [[black, red, red, red], [red] * 4, [black, red, red, red], [red] * 4]
    assert image(f"{SHOW} CREG_TEXTURE_COLOR", triangles=(TRIANGLE,))[0][1] == black


def test_each_core_runs_the_user_constants_once_and_keeps_its_registers() -> None:
    program = program_of(
        "ENTRYPOINT_ADRR_USERCONSTANTS:",
        "ZERO C1 VOID VOID",
        "SETX C2 32'h2000",
        "RETURN RT_TRUE",
        "ENTRYPOINT_ADRR_PIXELSHADER:",
        "ADD C1 C1 C2",
        f"{SHOW} C1",
        "RETURN RT_TRUE",
    )
    found = render(program, Scene(2, 4, REGISTERS, cores=2))
    reds = [[pixel[0] for pixel in line] for line in found]
    assert reds == [[16, 32], [48, 64], [16, 32], [48, 64]]


def test_a_pixel_that_is_not_written_is_black_and_one_that_hangs_is_an_error() -> None:
    assert image("NOP RT_FALSE") == [[[0, 0, 0]] * 4] * 4
    with pytest.raises(RenderingFailed, match="PIXELSHADER: the instruction at 800c never completes"):
        image("INTP R1 R1 VOID")
    with pytest.raises(RenderingFailed, match="icarus"):
        render(program_of("NOP RT_FALSE", "RETURN RT_TRUE", variant="icarus"), Scene(4, 4, REGISTERS))
