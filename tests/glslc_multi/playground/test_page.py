"""The static page in a real browser: writing a shader, its code for five targets, mistakes and their fixes, links."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path

import pytest

import glslc_multi
from glslc_multi.backends.registry import load_target
from glslc_multi.cli.main import main
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.runtime.png import Pixels, decode_png
from tests.browser import WEBGL, Browser, browser
from tests.glslc_multi.playground.static import built_folder, static_server
from tests.shared_data import PROJECT_ROOT

TARGETS = ("agal", "adreno", "pica200", "vc4", "xenos")
VERTEX = """\
attribute vec4 a_position;
uniform mat4 u_matrix;
varying vec4 v_color;
void main() {
    gl_Position = u_matrix * a_position;
    v_color = a_position * 0.5;
}
"""
FRAGMENT = """\
precision mediump float;
varying vec4 v_color;
uniform vec4 u_tint;
void main() {
    gl_FragColor = v_color * u_tint;
}
"""
ESCAPE, CONTROL, ENTER, DOWN, RIGHT, BACKSPACE, END = (
    "\ue00c",
    "\ue009",
    "\ue007",
    "\ue015",
    "\ue014",
    "\ue003",
    "\ue010",
)

_ROWS = (
    "[...document.querySelectorAll(`.pane[data-target=${arguments[0]}] [role=option] code`)].map(e => e.textContent)"
)
_LIT = "[...document.querySelectorAll(`.pane[data-target=${arguments[0]}] .words .lit code`)].map(e => e.textContent)"
_SOURCE = "[...document.querySelectorAll('.cm-line')].map(e => e.textContent).join('\\n')"
_LIT_SOURCE = "[...document.querySelectorAll('.cm-line.lit')].map(e => e.textContent)"
_MESSAGES = "[...document.querySelectorAll('#problems .message')].map(e => e.textContent)"
_DRAWN = """Object.fromEntries([...document.querySelectorAll('.pictures figure:has(img)')].map(
    figure => [figure.querySelector('figcaption').textContent, figure.querySelector('img').src]))"""
_PASSES = "[...document.querySelectorAll('.pane[data-target=agal] .bar option')].map(e => e.textContent)"
#: Texts, and how their colours stand to what is behind them, where that is too little.
_HARD_TO_READ = """
    const pen = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const levels = colour => {
        pen.clearRect(0, 0, 1, 1);
        pen.fillStyle = colour;
        pen.fillRect(0, 0, 1, 1);
        return [...pen.getImageData(0, 0, 1, 1).data];
    };
    const linear = level => level <= 10.3 ? level / 3294.6 : ((level / 255 + 0.055) / 1.055) ** 2.4;
    const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    const behind = element => {
        const found = levels(getComputedStyle(element).backgroundColor);
        return found[3] === 255 || !element.parentElement ? found : behind(element.parentElement);
    };
    const hasText = element => [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    const ratio = element => {
        const both = [levels(getComputedStyle(element).color), behind(element)].map(luminance);
        return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
    };
    return [...document.querySelectorAll('body *')].filter(each => hasText(each) && each.checkVisibility())
        .map(each => [ratio(each), each.outerHTML]).filter(([found]) => found < 4.5);
"""


@pytest.fixture(scope="module")
def window() -> Iterator[Browser]:
    with static_server(built_folder()) as address, browser(*WEBGL) as window:
        window.open(address)
        window.wait_for("document.documentElement.dataset.offline")
        yield window
        assert window.problems() == []


def write(window: Browser, stage: str, text: str) -> None:
    """Put a text into the editor as a user does."""
    window.click(f"#stages button:nth-child({['vertex', 'fragment', 'geometry'].index(stage) + 1})")
    window.click(".cm-content")
    window.press(CONTROL, "a")
    window.press(BACKSPACE)
    # As pasted: typed text is indented by the editor.
    window.run("document.execCommand('insertText', false, arguments[0])", text)
    settle(window)


def settle(window: Browser) -> None:
    """Wait until everything that is shown belongs to what is written."""
    window.wait_for("document.getElementById('results').getAttribute('aria-busy') === 'false'")


def code_of(target: str, text: str, opt: int = 2, **options: str) -> list[str]:
    """The code of a vertex shader, word by word, as this computer's compiler makes it."""
    shader = glslc_multi.compile(text, target=target, stage="vertex", opt=opt, options=options)
    return [word.text for word in load_target(target).list_words(shader.binary, {})]


def choose(window: Browser, field: str, value: str) -> None:
    script = """
        const field = document.querySelector(arguments[0]);
        field.value = arguments[1];
        for (const name of ['input', 'change']) field.dispatchEvent(new Event(name));
    """
    window.run(script, field, value)


def open_panes(window: Browser, *targets: str) -> None:
    shown = window.run("return [...document.querySelectorAll('.pane')].map(e => e.dataset.target)")
    for target in {*shown} ^ {*targets}:
        window.click(f".target[data-target={target}]")


def test_a_shader_is_written_and_its_code_is_seen_for_five_targets(window: Browser) -> None:
    open_panes(window, *TARGETS)
    write(window, "vertex", VERTEX)
    for target in TARGETS:
        expected = code_of(target, VERTEX)
        assert window.wait_for(f"({_ROWS}).join() === arguments[1].join()", target, expected)
    fits = window.run("return document.querySelector('.target[data-target=pica200]').textContent")
    shader = glslc_multi.compile(VERTEX, target="pica200", stage="vertex")
    used, limit = max((shader.reflection.limits or {}).values(), key=lambda use: use[0] / use[1])
    assert f"{used} of {limit}" in fits


def test_a_key_changes_the_code(window: Browser) -> None:
    write(window, "vertex", VERTEX)
    assert window.wait_for(f"({_ROWS}).join() === arguments[1].join()", "agal", code_of("agal", VERTEX))
    window.run("document.getSelection().collapse(document.querySelectorAll('.cm-line')[5], 0)")
    window.type("gl_Position.x += 0.25; ")
    changed = VERTEX.replace("    v_color", "gl_Position.x += 0.25;     v_color")
    assert window.run(f"return {_SOURCE}").count("gl_Position.x += 0.25;") == 1
    assert window.wait_for(f"({_ROWS}).join() === arguments[1].join()", "agal", code_of("agal", changed))


def test_machine_code_is_dropped_and_read(window: Browser) -> None:
    code = glslc_multi.compile(VERTEX, target="agal", stage="vertex").binary
    drop = """
        const data = new DataTransfer();
        data.items.add(new File([Uint8Array.from(arguments[0])], arguments[1]));
        document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true}));
    """
    window.run(drop, list(code), "game.agalbin")
    assert window.wait_for(f"{_SOURCE}.includes('gl_Position = va0 * vc0;')")
    assert window.run("return document.querySelector('.cm-content').getAttribute('aria-label')") == "GLSL, game.vert"
    window.run(drop, [1, 2, 3], "game.png")
    assert window.wait_for("document.getElementById('status').textContent.startsWith('None of these is a shader')")
    window.run(drop, [1, 2, 3], "bad.agalbin")
    assert window.wait_for("document.getElementById('status').textContent.startsWith('bad.agalbin: ')")


def test_a_mistake_is_underlined_explained_and_fixed(window: Browser) -> None:
    broken = VERTEX.replace("a_position * 0.5", "a_position * 2")
    with pytest.raises(CompileError) as error:
        glslc_multi.compile(broken, target="agal", stage="vertex")
    write(window, "vertex", broken)
    message = error.value.diagnostics[0].message
    assert window.wait_for(f"{_MESSAGES}.some(text => text.includes(arguments[0]))", message)
    assert window.run("return document.querySelector('.cm-lintRange-error').textContent") == "*"
    for part in ("panes", "picture"):
        assert window.run("return document.getElementById(arguments[0]).className", part) == "stale"
    window.click("#problems .code")
    assert window.wait_for("document.querySelector('#problems pre')?.textContent.includes('E0402')")
    window.click("#problems .fix")
    assert window.wait_for("document.querySelector('#problems h2').textContent === 'No mistakes.'")
    assert "a_position * 2.0" in window.run(f"return {_SOURCE}")
    fixed = broken.replace("* 2;", "* 2.0;")
    assert window.wait_for(f"({_ROWS}).join() === arguments[1].join()", "agal", code_of("agal", fixed))


def test_the_fix_is_taken_by_the_keyboard(window: Browser) -> None:
    write(window, "vertex", VERTEX.replace("0.5", "2"))
    window.wait_for("document.querySelector('#problems .fix')")
    window.run("document.getSelection().collapse(document.querySelectorAll('.cm-line')[5], 0)")
    window.press(CONTROL, ".")
    assert window.wait_for("document.querySelector('#problems h2').textContent === 'No mistakes.'")
    assert "a_position * 2.0" in window.run(f"return {_SOURCE}")


def test_what_a_misspelt_name_may_stand_for_is_a_fix(window: Browser) -> None:
    write(window, "vertex", VERTEX.replace("u_matrix * a_position", "u_matrx * a_position"))
    window.wait_for("document.querySelector('#problems .fix')")
    assert "replace 'u_matrx' by 'u_matrix'" in window.run(
        "return document.querySelector('#problems .fix').textContent"
    )
    window.click("#problems .fix")
    assert window.wait_for("document.querySelector('#problems h2').textContent === 'No mistakes.'")
    assert window.run(f"return {_SOURCE}").rstrip("\n") == VERTEX.rstrip("\n")


def test_the_source_has_colours_and_the_cost_of_each_line(window: Browser) -> None:
    write(window, "vertex", VERTEX)
    open_panes(window, *TARGETS)
    window.click(".pane[data-target=pica200] header button")
    coloured = "[...document.querySelectorAll('.cm-line .g-' + arguments[0])].map(e => e.textContent)"
    assert {*window.run(f"return {coloured}", "qualifier")} == {"attribute", "uniform", "varying"}
    assert {*window.run(f"return {coloured}", "type")} == {"vec4", "mat4", "void"}
    assert window.run(f"return {coloured}", "number") == ["0.5"]
    # Line 5 is a product of a matrix, line 6 of a vector and a number: the code itself tells them apart.
    names = [text.split()[0] for text in code_of("pica200", VERTEX)]
    wanted = [str(names.count("dp4")), str(names.count("mul"))]
    beside = """[...document.querySelectorAll('.costs .cm-gutterElement')].filter(e => e.style.visibility !== 'hidden')
        .map(e => [e.textContent, Math.round(e.getBoundingClientRect().top)])"""
    assert window.wait_for(f"({beside}).map(each => each[0]).join() === arguments[0].join()", wanted)
    tops = "[...document.querySelectorAll('.cm-line')].map(e => Math.round(e.getBoundingClientRect().top))"
    assert [top for _, top in window.run(f"return {beside}")] == window.run(f"return {tops}")[4:6]


def test_the_theme_is_kept(window: Browser) -> None:
    back = "return getComputedStyle(document.body).backgroundColor"
    found = {}
    for _ in range(3):
        window.click("#theme")
        found[window.run("return document.documentElement.dataset.theme")] = window.run(back)
    assert found["light"] != found["dark"] and found["auto"] in (found["light"], found["dark"])
    window.click("#theme")
    window.click("#theme")
    address = window.run("return location.href")
    window.open("about:blank")
    window.open(address)
    assert window.wait_for("document.documentElement.dataset.theme") == "dark"
    assert window.run(back) == found["dark"]
    window.click("#theme")


def test_words_and_lines_light_up_together(window: Browser) -> None:
    write(window, "vertex", VERTEX)
    expected = code_of("pica200", VERTEX)
    assert window.wait_for(f"({_ROWS}).join() === arguments[1].join()", "pica200", expected)
    # From a word to its line, and to the words of others that come from it.
    number = next(number for number, text in enumerate(expected) if text.startswith("mul"))
    window.point_at(f".pane[data-target=pica200] [role=option]:nth-child({number + 1})")
    assert window.run(f"return {_LIT_SOURCE}") == ["    v_color = a_position * 0.5;"]
    assert all(window.run(f"return {_LIT}", target) for target in TARGETS)
    bits = window.run("return document.querySelector('.pane[data-target=pica200] .bits').textContent")
    assert expected[number] in bits and "opcode" in bits
    # From a line to its words.
    window.point_at(".cm-line:nth-child(5)")
    assert window.run(f"return {_LIT}", "pica200") == [text for text in expected if text.startswith("dp4")]


def test_a_word_is_held_and_let_go_by_the_keyboard(window: Browser) -> None:
    window.run("document.querySelector('.pane[data-target=pica200] [role=option][tabindex=\"0\"]').focus()")
    window.press("\ue011")
    window.press(DOWN)
    chosen = "return document.activeElement.getAttribute('aria-label')"
    assert window.run(chosen).startswith("001 dp4")
    window.press(ENTER)
    window.point_at(".cm-line:nth-child(6)")
    assert window.run(f"return {_LIT_SOURCE}") == ["    gl_Position = u_matrix * a_position;"]
    window.press(ESCAPE)
    assert window.run(f"return {_LIT_SOURCE}") == []


@pytest.mark.parametrize(
    ("tab", "shown"),
    [
        ("steps", "document.querySelector('.pane[data-target=vc4] .step')?.children.length > 5"),
        ("pressure", "document.querySelector('.pane[data-target=vc4] .bars rect[data-k]')"),
        ("values", "document.querySelector('.pane[data-target=vc4] table')?.textContent.includes('u_matrix')"),
        ("text", "document.querySelector('.pane[data-target=vc4] .body pre')?.textContent.includes('fmul')"),
    ],
)
def test_tabs(window: Browser, tab: str, shown: str) -> None:
    write(window, "vertex", VERTEX)
    window.click(f".pane[data-target=vc4] [data-tab={tab}]")
    assert window.wait_for(shown)
    window.click(".pane[data-target=vc4] [data-tab=code]")


def test_a_loop_has_a_flow_graph_whose_text_is_no_markup(window: Browser) -> None:
    loop = "for (int i = 0; i < 200; i++) { if (v_color.x > 9.0) break; v_color *= u_matrix[0]; }"
    write(window, "vertex", VERTEX.replace("* 0.5;", f"* 0.5; {loop}"))
    window.click(".pane[data-target=vc4] [data-tab=graphs]")
    assert window.wait_for("document.querySelectorAll('.pane[data-target=vc4] .graph rect').length > 3")
    window.click(".pane[data-target=vc4] [data-tab=code]")


def test_passes_one_by_one(window: Browser) -> None:
    write(window, "vertex", VERTEX)
    window.click(".pane[data-target=agal] [data-tab=steps]")
    window.wait_for("document.querySelector('.pane[data-target=agal] .step .old')")
    names = window.run(f"return {_PASSES}")
    assert names[0] == "front end" and len(names) > 3
    window.click(".pane[data-target=agal] .bar button:last-of-type")
    assert window.run("return document.querySelector('.pane[data-target=agal] .bar select').value") == "1"
    assert window.wait_for("document.querySelector('.pane[data-target=agal] .step .new')")
    window.click(".pane[data-target=agal] [data-tab=code]")


def test_settings_are_those_of_the_command_line(window: Browser) -> None:
    text = VERTEX.replace("0.5", "HALF")
    write(window, "vertex", text)
    choose(window, "#settings input", "HALF=0.25")
    expected = code_of("agal", text.replace("HALF", "0.25"))
    assert window.wait_for(f"({_ROWS}).join() === arguments[1].join()", "agal", expected)
    assert "-DHALF=0.25" in window.run("return document.querySelector('.command').textContent")
    choose(window, "#settings input", "")


def test_where_a_shader_does_not_fit_the_page_says_by_how_much(window: Browser) -> None:
    text = (PROJECT_ROOT / "examples" / "shaders" / "11_plasma.frag").read_text(encoding="utf-8")
    with pytest.raises(CompileError) as error:
        glslc_multi.compile(text, target="theia", stage="fragment")
    (values,) = (each.values for each in error.value.diagnostics if each.severity == "error")
    write(window, "fragment", text)
    excess = int(values["need"]) - int(values["limit"])
    wanted = f"{values['need']} of {values['limit']} {values['what']}, misses by {excess}"
    assert window.run("return document.querySelector('.target[data-target=theia] span').textContent") == wanted


def test_a_linked_pair_shows_both_stages(window: Browser) -> None:
    open_panes(window, "agal", "vc4")
    write(window, "vertex", VERTEX + "// the end\n")
    write(window, "fragment", FRAGMENT)
    try:
        window.click("#linked")
        for target in ("agal", "vc4"):
            made = glslc_multi.link(VERTEX, FRAGMENT, target=target).stages
            listed = [load_target(target).list_words(each.binary, {}) for each in made.values()]
            expected = [word.text for words in listed for word in words]
            assert window.wait_for(f"({_ROWS}).join() === arguments[1].join()", target, expected)
            headings = f"[...document.querySelectorAll('.pane[data-target={target}] h3.stage')].map(e => e.textContent)"
            assert window.run(f"return {headings}") == [*made]
        settle(window)
        # A word of the other shader leads to its line there.
        window.click(".pane[data-target=agal] .part:first-child [role=option]:last-child")
        assert window.wait_for(f"({_LIT_SOURCE}).join() === arguments[0]", "    v_color = a_position * 0.5;")
        assert window.run("return document.getElementById('results').getAttribute('aria-busy')") == "false"
        window.press(ESCAPE)
        assert "glslc-multi link " in window.run("return document.querySelector('.command').textContent")
        # The link has it.
        window.click("#share")
        window.wait_for("document.getElementById('status').textContent.includes('link')")
        address = window.run("return location.href")
        window.open("about:blank")
        window.open(address)
        assert window.wait_for("document.querySelectorAll('.pane[data-target=agal] h3.stage').length === 2")
        assert window.run("return document.getElementById('linked').getAttribute('aria-pressed')") == "true"
    finally:
        window.click("#linked")


def test_what_keeps_two_shaders_from_being_linked_is_a_problem(window: Browser) -> None:
    open_panes(window, "agal")
    write(window, "fragment", FRAGMENT)
    write(window, "vertex", VERTEX.replace("v_color", "v_colour"))
    assert window.run("return document.querySelector('#problems h2').textContent") == "No mistakes."
    try:
        window.click("#linked")
        assert window.wait_for(f"({_MESSAGES}).some(text => text.includes('v_color'))")
        window.click("#problems .place")
        assert window.run(f"return {_SOURCE}").startswith("precision")
        assert "v_color" in window.run("return document.querySelector('.cm-activeLine').textContent")
    finally:
        window.click("#linked")


def test_webgl_draws_the_shaders(window: Browser) -> None:
    write(window, "vertex", VERTEX)
    write(window, "fragment", FRAGMENT.replace("v_color * u_tint", "vec4(1.0, 0.5, 0.0, 1.0)"))
    pixel = """(() => {
        const canvas = document.querySelector('canvas'), gl = canvas.getContext('webgl2'), found = new Uint8Array(4);
        gl.readPixels(canvas.width / 2, canvas.height / 2, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, found);
        return found[0] === 255 && Math.abs(found[1] - 128) < 2 && found[2] === 0;
    })()"""
    assert window.wait_for(pixel)


def test_machine_code_s_picture_of_an_example_is_kept_until_something_is_changed(
    window: Browser, tmp_path: Path
) -> None:
    """Here are no simulators: these pictures were drawn when the page was built."""
    note = "document.querySelector('.pictures .note').textContent"
    open_panes(window, "agal", "vc4")
    choose(window, "#examples", "12_toon")
    settle(window)
    chosen = "document.getElementById('examples').value"
    assert window.run(f"return {chosen}") == "12_toon"
    assert {*window.run(f"return {_DRAWN}")} == {"agal", "vc4"}
    for target, picture in window.run(f"return {_DRAWN}").items():
        drawn = decode_png(b64decode(picture.removeprefix("data:image/png;base64,")))
        assert (drawn == rendered("12_toon", target, len(drawn), tmp_path)).all()
    assert "when the page was built" in window.run(f"return {note}")
    # Nothing is drawn anew for another tab, and the note stays.
    window.click(".pane[data-target=agal] [data-tab=values]")
    settle(window)
    assert "when the page was built" in window.run(f"return {note}")
    window.click(".pane[data-target=agal] [data-tab=code]")
    # Whatever is changed, the picture is not that of what is shown; what is undone, is.
    window.click(".cm-content")
    window.press(CONTROL, END)
    window.type(" ")
    assert window.wait_for(f"Object.keys({_DRAWN}).length === 0")
    assert "glslc-multi playground draws yours" in window.run(f"return {note}")
    assert window.run(f"return {chosen}") == ""
    window.press(BACKSPACE)
    assert window.wait_for(f"Object.keys({_DRAWN}).length === 2")
    for field, other, usual in (("#settings select", "0", "2"), ("#picture select", "cube", "sphere")):
        choose(window, field, other)
        assert window.wait_for(f"Object.keys({_DRAWN}).length === 0")
        choose(window, field, usual)
        assert window.wait_for(f"Object.keys({_DRAWN}).length === 2")


def rendered(name: str, target: str, size: int, place: Path) -> Pixels:
    """What the machine code of an example draws on this computer's simulator, by the command for it."""
    sources = [str(PROJECT_ROOT / "examples" / "shaders" / f"{name}.{suffix}") for suffix in ("vert", "frag")]
    out = place / f"{target}.png"
    assert main(["render", *sources, "--target", target, "--size", f"{size}x{size}", "-o", str(out)]) == 0
    return decode_png(out.read_bytes())


def test_a_link_shows_what_its_sender_saw(window: Browser) -> None:
    text = VERTEX.replace("0.5", "SHARE") + "// \u00e4\u4e16\U0001f600\n"
    write(window, "vertex", text)
    open_panes(window, "adreno")
    choose(window, "#settings select", "0")
    choose(window, "#settings input", "SHARE=0.75")
    window.click(".pane[data-target=adreno] .options summary")
    choose(window, ".pane[data-target=adreno] .options select", "interleaved")
    settle(window)
    command = window.run("return document.querySelector('.command').textContent")
    assert command.endswith("-O0 -DSHARE=0.75 --attributes=interleaved")
    window.click("#share")
    window.wait_for("document.getElementById('status').textContent.includes('link')")
    address = window.run("return location.href")
    window.open("about:blank")
    window.open(address)
    assert window.wait_for("document.querySelector('.command')?.textContent === arguments[0]", command)
    assert window.wait_for(
        "document.querySelector('.pane[data-target=adreno] .options select')?.value === 'interleaved'"
    )
    expected = code_of("adreno", text.replace("SHARE", "0.75"), opt=0, attributes="interleaved")
    assert window.wait_for(f"({_ROWS}).join() === arguments[1].join()", "adreno", expected)
    assert window.run("return [...document.querySelectorAll('.pane')].map(e => e.dataset.target)") == ["adreno"]
    assert window.run(f"return {_SOURCE}").rstrip("\n") == text.rstrip("\n")
    assert window.run("return document.querySelector('#settings select').value") == "0"


@pytest.mark.parametrize("fragment", ["x", "%00", "AAAA", "eyJhIjoxfQ", "q1YqLU4tUrJSKk5NLi1KVaoFAA"])
def test_a_damaged_link_opens_the_page(window: Browser, fragment: str) -> None:
    home = window.run("return location.origin")
    window.open("about:blank")
    window.open(f"{home}/#{fragment}")
    assert window.wait_for("document.querySelectorAll('.pane [role=option]').length > 3")


def test_on_a_phone_nothing_is_wider_than_the_window(window: Browser) -> None:
    window.resize(360, 740)
    try:
        window.wait_for("document.querySelectorAll('.pane [role=option]').length > 3")
        assert window.run("return document.documentElement.scrollWidth") <= 360
        assert window.run("return document.querySelector('#editor').getBoundingClientRect().width") > 300
    finally:
        window.resize(1400, 1000)


def test_everything_that_is_pressed_has_a_name(window: Browser) -> None:
    nameless = window.run("""
        const text = e => e?.textContent.trim();
        const name = e => e.getAttribute('aria-label') || text(e) || text(e.labels?.[0]);
        const all = document.querySelectorAll('button, select, input, [role=tablist], [role=listbox], [role=group]');
        return [...all].filter(e => !name(e)).map(e => e.outerHTML)
    """)
    assert nameless == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_text_can_be_read(window: Browser, theme: str) -> None:
    """4.5 to 1 at least (WCAG 2.1, 1.4.3); what is faded while the shader has mistakes is not looked at."""
    write(window, "vertex", VERTEX)
    window.run("document.documentElement.style.colorScheme = arguments[0]", theme)
    try:
        assert window.run(_HARD_TO_READ) == []
    finally:
        window.run("document.documentElement.style.colorScheme = ''")


def test_without_the_network(window: Browser) -> None:
    """The server is gone: what was loaded once works on."""
    del window
    with browser(*WEBGL) as other:
        with static_server(built_folder()) as address:
            other.open(address)
            other.wait_for("document.documentElement.dataset.offline")
        other.open("about:blank")
        other.open(address)
        assert other.wait_for("document.querySelectorAll('.pane [role=option]').length > 3")
        write(other, "vertex", VERTEX)
        assert other.wait_for(f"({_ROWS}).join() === arguments[1].join()", "agal", code_of("agal", VERTEX))


def test_the_page_asks_nobody_else(window: Browser) -> None:
    names = window.run("return performance.getEntriesByType('resource').map(e => e.name)")
    own = window.run("return location.origin")
    assert names and all(name.startswith((own, "data:")) for name in names), json.dumps(names)
