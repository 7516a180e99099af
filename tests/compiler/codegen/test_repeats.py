"""Runs that are alike but for their registers: where they are, and how far they go."""

from __future__ import annotations

from random import Random

import pytest

from glslc_multi.compiler.codegen import repeats
from glslc_multi.compiler.codegen.machine import AnyRegister, Def, MachineInstruction, MachineOp, Use, VirtualRegister
from glslc_multi.compiler.codegen.registers import RegisterClass, RegisterFile
from glslc_multi.compiler.codegen.repeats import Row

R = RegisterFile("r", 16)
V = RegisterFile("v", 8, writable=False)
ANY = RegisterClass.of("temporary", R)
OPS = {name: MachineOp(name, "each", ("each", "each")) for name in ("add", "mul", "max", "min")}


def _register(number: int, width: int = 1) -> VirtualRegister:
    return VirtualRegister(number, width, ANY)


def _word(name: str, target: VirtualRegister, *sources: AnyRegister) -> MachineInstruction:
    return MachineInstruction(OPS[name], [Def(target)], [Use(source) for source in sources])


def _row(*words: MachineInstruction | None) -> Row:
    return Row(words, lambda instruction: instruction.op.name)


def _chain(start: AnyRegister, first: int) -> list[MachineInstruction]:
    """Four words, each of which reads the one before it and the start."""
    made = []
    value = start
    for number, name in enumerate(OPS, first):
        target = _register(number)
        made.append(_word(name, target, value, start))
        value = target
    return made


def test_runs_are_alike_up_to_registers() -> None:
    row = _row(*_chain(V[0], 0), None, *_chain(_register(20), 10))
    assert row.pairs == {0: {5: 4}, 1: {6: 3}}


def test_one_register_stands_for_one() -> None:
    second = _chain(V[1], 10)
    second[3].uses[1] = Use(V[2])
    assert _row(*_chain(V[0], 0), None, *second).pairs == {0: {5: 3}, 1: {6: 2}}, "V[0] was V[1] before"
    second[2].uses[0] = Use(second[0].defs[0].register)
    assert _row(*_chain(V[0], 0), None, *second).pairs[0][5] == 2


def test_a_value_stands_for_values_of_its_kind() -> None:
    row = _row(*_chain(_register(20, 2), 0), None, *_chain(_register(21, 4), 10))
    assert row.pairs[0][5] == 0


def test_runs_do_not_cross_gaps() -> None:
    words = [*_chain(V[0], 0), None, *_chain(V[1], 10), None, *_chain(V[2], 20)]
    row = _row(*words)
    row.remove([range(5, 9)])
    assert row.pairs == {0: {10: 4}, 1: {11: 3}}


@pytest.mark.parametrize("most_pairs", [repeats._MOST_PAIRS, 12])
def test_gaps_made_later_are_like_gaps_that_were_there(most_pairs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeats, "_MOST_PAIRS", most_pairs)
    random = Random(2)
    for _ in range(60):
        words = _random_words(random, 40)
        runs = [range(start, start + random.randrange(1, 6)) for start in random.sample(range(34), 3)]
        row = _row(*words)
        before = dict(row.pairs)
        changed = row.remove(runs)
        assert row.pairs == _with_gaps(words, {words[place] for run in runs for place in run}).pairs
        assert all(row.pairs.get(place) == before.get(place) for place in range(40) if place not in changed)


def test_lengths_are_those_of_comparing_names() -> None:
    """Against the definition: a renaming, one for one, made step by step."""
    random = Random(1)
    for _ in range(40):
        words = _random_words(random, 24)
        for place, others in _row(*words).pairs.items():
            # What goes on from one place before is counted from there.
            fresh = {other: length for other, length in others.items() if length < 3}
            assert all(length == _renamed(words, place, other) for other, length in fresh.items())
            assert all(length <= _renamed(words, place, other) for other, length in others.items())


def _with_gaps(words: list[MachineInstruction], gone: set[MachineInstruction]) -> Row:
    return Row(words, lambda word: None if word in gone else word.op.name)


def _random_words(random: Random, count: int) -> list[MachineInstruction]:
    registers: list[AnyRegister] = [_register(number) for number in range(4)]
    return [
        _word(random.choice(["add", "mul"]), _register(100 + number), *random.choices(registers, k=2))
        for number in range(count)
    ]


def _renamed(words: list[MachineInstruction], first: int, second: int) -> int:
    names: dict[AnyRegister, AnyRegister] = {}
    back: dict[AnyRegister, AnyRegister] = {}
    for length in range(second - first):
        if second + length == len(words) or words[first + length].op is not words[second + length].op:
            return length
        ours, theirs = words[first + length], words[second + length]
        for a, b in zip(_named(ours), _named(theirs), strict=True):
            if names.setdefault(a, b) != b or back.setdefault(b, a) != a:
                return length
    return second - first


def _named(instruction: MachineInstruction) -> list[AnyRegister]:
    return [use.register for use in instruction.uses] + [instruction.defs[0].register]
