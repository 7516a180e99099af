"""Scripts that complete the command line in a shell, made from the parsers.

Every shell gets the same facts: the words after `glslc-multi`, the options of each subcommand, and the values of
options that take one of a few.  Everything else is completed as a file name.
"""

from __future__ import annotations

import argparse
from importlib import import_module

from glslc_multi.cli.main import COMMANDS, PARSERS
from glslc_multi.cli.parser import OneOf
from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Flag:
    """One option as shells see it."""

    names: tuple[str, ...]
    help: str
    takes_value: bool
    values: tuple[str, ...] = ()


def script(shell: str) -> str:
    """The script to load into `shell`."""
    flags = {command: flags_of(command) for command in COMMANDS}
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](flags)


def flags_of(command: str) -> list[Flag]:
    """The options of a subcommand."""
    module, _, function = PARSERS[command].partition(":")
    parser: argparse.ArgumentParser = getattr(import_module(module), function)()
    return [
        Flag(tuple(action.option_strings), action.help or "", action.nargs not in (0, "?"), _values(action))
        for action in parser._actions
        if action.option_strings
    ]


def _values(action: argparse.Action) -> tuple[str, ...]:
    if isinstance(action.type, OneOf) and action.nargs != "?":
        return action.type.choices
    if action.option_strings[0] in ("--target", "--print-target-info"):
        from glslc_multi.backends.registry import target_names

        return target_names() + (("all",) if action.option_strings[0] == "--target" else ())
    return ()


def _bash(flags: dict[str, list[Flag]]) -> str:
    lines = [
        "# glslc-multi --completion bash > glslc-multi.bash; then: source glslc-multi.bash",
        "_glslc_multi() {",
        '    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" command="compile" options',
        '    case "${COMP_WORDS[1]}" in',
        f'        {"|".join(flags)}) command="${{COMP_WORDS[1]}}" ;;',
        "    esac",
        '    case "$command $before" in',
    ]
    for command, options in flags.items():
        for flag in options:
            patterns = "|".join(f'"{command} {name}"' for name in flag.names)
            if flag.values:
                lines.append(f"        {patterns}) {_bash_words(flag.values)} return ;;")
            elif flag.takes_value:
                lines.append(f'        {patterns}) COMPREPLY=($(compgen -f -- "$word")); return ;;')
    lines += ["    esac", '    case "$command" in']
    for command, options in flags.items():
        lines.append(f'        {command}) options="{" ".join(name for flag in options for name in flag.names)}" ;;')
    lines += [
        "    esac",
        '    [[ $COMP_CWORD == 1 && $word != -* ]] && options="$options ' + " ".join(flags) + '"',
        '    COMPREPLY=($(compgen -W "$options" -- "$word") $([[ $word == -* ]] || compgen -f -- "$word"))',
        "}",
        "complete -o filenames -F _glslc_multi glslc-multi",
    ]
    return "\n".join(lines) + "\n"


def _bash_words(values: tuple[str, ...]) -> str:
    return f'COMPREPLY=($(compgen -W "{" ".join(values)}" -- "$word"));'


def _zsh(flags: dict[str, list[Flag]]) -> str:
    lines = [
        "#compdef glslc-multi",
        "# glslc-multi --completion zsh > _glslc-multi, in a folder of $fpath",
        "_glslc_multi() {",
        "    local command=compile",
        '    case "$words[2]" in',
        f"        {'|'.join(flags)}) command=$words[2] ;;",
        "    esac",
        f"    (( CURRENT == 2 )) && compadd -- {' '.join(flags)}",
        '    case "$command" in',
    ]
    for command, options in flags.items():
        lines.append(f"        {command}) _arguments \\")
        lines += [f"            {_zsh_spec(name, flag)} \\" for flag in options for name in flag.names]
        lines.append("            '*:file:_files' ;;")
    lines += [
        "    esac",
        "}",
        "# Loaded from $fpath, the file is the function; otherwise it only registers it.",
        'if [[ "$funcstack[1]" == _glslc-multi ]]; then _glslc_multi "$@"; else compdef _glslc_multi glslc-multi; fi',
    ]
    return "\n".join(lines) + "\n"


def _zsh_spec(name: str, flag: Flag) -> str:
    text = _single(flag.help).replace("[", "(").replace("]", ")").replace(":", " -")
    spec = f"*{name}[{text}]"
    if flag.takes_value:
        spec += f":value:({' '.join(flag.values)})" if flag.values else ":value:_files"
    return f"'{spec}'"


def _fish(flags: dict[str, list[Flag]]) -> str:
    commands = " ".join(flags)
    lines = [
        "# glslc-multi --completion fish > ~/.config/fish/completions/glslc-multi.fish",
        f"complete -c glslc-multi -n __fish_use_subcommand -a '{commands}'",
    ]
    for command, options in flags.items():
        condition = f"__fish_seen_subcommand_from {command}"
        if command == "compile":
            condition = f"not __fish_seen_subcommand_from {' '.join(name for name in flags if name != 'compile')}"
        for flag in options:
            lines += [_fish_line(condition, name, flag) for name in flag.names]
    return "\n".join(lines) + "\n"


def _fish_line(condition: str, name: str, flag: Flag) -> str:
    if name.startswith("--"):
        spelling = f"-l {name[2:]}"
    else:
        spelling = f"-s {name[1:]}" if len(name) == 2 else f"-o {name[1:]}"
    line = f"complete -c glslc-multi -n '{condition}' {spelling} -d '{_single(flag.help)}'"
    if not flag.takes_value:
        return line
    return line + (f" -x -a '{' '.join(flag.values)}'" if flag.values else " -r")


def _single(text: str) -> str:
    """`text` for single quotes."""
    return text.replace("'", "").replace("\\", "").replace("`", "")
