"""What the user has set in the editor, and in the project: targets, folders of includes, macros, the version, stages.

In: whatever JSON a client sends, as initialization options or as changed configuration, under the key `glslcMulti` or
without it; the project file of a document.  Out: settings; what is no valid value is left out and named, and nothing
raises.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, cast

from glslc_multi.backends.registry import canonical_name, target_names
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.options import STAGES, check_macros
from glslc_multi.compiler.records import dataclass, field, replace
from glslc_multi.frontends.glsl.frontend import FRONT_END
from glslc_multi.project.project import find_project

if TYPE_CHECKING:
    from glslc_multi.frontends.glsl.symbols import Stage

SECTION = "glslcMulti"
ALL_TARGETS = "all"
#: `#pragma shader_stage(vertex)` in a file whose name does not tell.
_STAGE_PRAGMA = "shader_stage"
#: Of files whose name, text and settings do not tell it.
_DEFAULT_STAGE = "fragment"


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set."""

    #: Names of targets; empty means all of them, without a word about those that a shader does not fit on.
    targets: tuple[str, ...] = ()
    include_paths: tuple[str, ...] = ()
    macros: Mapping[str, str] = field(default_factory=dict)
    std: str = ""
    compat: bool = False
    #: Suffix of a file -> its stage, before what the suffix means by itself.
    stages: Mapping[str, str] = field(default_factory=dict)
    #: Costs beside the lines.
    hints: bool = True
    #: What of the client's settings has no meaning, in words.
    problems: tuple[str, ...] = ()

    @property
    def shown_targets(self) -> tuple[str, ...]:
        return self.targets or target_names()

    @property
    def front_end(self) -> FrontEndOptions:
        return FrontEndOptions(self.macros, (), self.include_paths, self.std, self.compat)

    def stage_of(self, filename: str, text: str) -> str | None:
        """The stage of a file: by settings, by its name, by its pragma; None where nothing tells."""
        suffix = PurePath(filename).suffix
        named = self.stages.get(suffix) or FRONT_END.stage_of_suffix.get(suffix)
        return named or _stage_in(text)


def read_settings(sent: object, root: str = "") -> Settings:
    """The settings in what a client has sent; folders are relative to `root`."""
    given = sent.get(SECTION, sent) if isinstance(sent, Mapping) else {}
    if not isinstance(given, Mapping):
        return Settings(problems=(f"{SECTION} is no object",))
    problems: list[str] = []
    settings = Settings(
        _targets(_texts(given, "targets", problems), problems),
        tuple(os.path.join(root, folder) for folder in _texts(given, "includePaths", problems)),  # noqa: PTH118
        _macros(given, problems),
        _standard(given, problems),
        given.get("compat") is True,
        _stages(given, problems),
        given.get("hints") is not False,
    )
    return replace(settings, problems=tuple(problems))


def with_project(settings: Settings, filename: str) -> Settings:
    """Return the settings of one file: what its project file says counts where the editor sets nothing."""
    try:
        project = find_project(PurePath(filename).parent, DiagnosticSink())
    except CompileError as error:
        return replace(settings, problems=tuple(diagnostic.message for diagnostic in error.diagnostics))
    if project is None:
        return replace(settings, problems=())
    macros = {**project.macros, **settings.macros}
    return replace(
        settings,
        targets=settings.targets or tuple(name for name in target_names() if name in project.targets),
        include_paths=(*settings.include_paths, *project.include_dirs),
        macros={name: text for name, text in macros.items() if text is not None},
        std=settings.std or (project.std if project.std in FRONT_END.standards else "") or "",
        compat=settings.compat or project.compat,
        problems=(),
    )


def language_stage(stage: str | None) -> Stage:
    """The stage by whose rules a text is read."""
    return cast("Stage", "vertex" if stage == "coordinate" else stage or _DEFAULT_STAGE)


def _stage_in(text: str) -> str | None:
    for line in text.splitlines() if _STAGE_PRAGMA in text else ():
        words = line.replace("#", " # ").replace("(", " ( ").replace(")", " ) ").split()
        if words[:4] == ["#", "pragma", _STAGE_PRAGMA, "("] and len(words) > 4 and words[4] in STAGES:
            return words[4]
    return None


def _texts(given: Mapping[Any, Any], key: str, problems: list[str]) -> list[str]:
    value = given.get(key) or []
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return value
    problems.append(f"{key} is no list of texts")
    return []


def _targets(names: list[str], problems: list[str]) -> tuple[str, ...]:
    known, canonical = target_names(), [canonical_name(name) for name in names]
    problems += [f"targets: there is no '{name}'" for name in canonical if name not in (*known, ALL_TARGETS)]
    return () if ALL_TARGETS in names else tuple(name for name in known if name in canonical)


def _mapping(given: Mapping[Any, Any], key: str, problems: list[str]) -> dict[str, str]:
    value = given.get(key) or {}
    if not isinstance(value, Mapping):
        problems.append(f"{key} is no object")
        return {}
    return {str(name): _macro_text(text) for name, text in value.items()}


def _macro_text(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return str(int(value)) if value is not None else ""
    return str(value)


def _macros(given: Mapping[Any, Any], problems: list[str]) -> dict[str, str]:
    macros = {}
    for name, text in _mapping(given, "macros", problems).items():
        sink = DiagnosticSink()
        check_macros(FrontEndOptions({name: text}), sink)
        problems += [diagnostic.message for diagnostic in sink.diagnostics]
        if not sink.error_count:
            macros[name] = text
    return macros


def _standard(given: Mapping[Any, Any], problems: list[str]) -> str:
    value = given.get("std") or ""
    if value == "" or value in FRONT_END.standards:
        return str(value)
    problems.append(f"std: there is no version '{value}', but {', '.join(FRONT_END.standards)}")
    return ""


def _stages(given: Mapping[Any, Any], problems: list[str]) -> dict[str, str]:
    stages = _mapping(given, "stages", problems)
    problems += [f"stages: there is no '{stage}'" for stage in stages.values() if stage not in STAGES]
    return {suffix: stage for suffix, stage in stages.items() if stage in STAGES}
