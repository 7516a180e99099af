"""Jump threading: the code that remains does the same, and none of the jumps that it is about are left."""

from __future__ import annotations

from random import Random

import pytest

from glslc_multi.backends.theia.codegen.conditions import Here
from glslc_multi.backends.theia.codegen.jump_threading import Item, Word, straightened
from glslc_multi.compiler.records import replace

_STEPS = 60
_BRANCHES = ("JGX", "JLX", "JEQY", "JNEZ")


def program(random: Random) -> list[Item]:
    count = random.randint(3, 8)
    items: list[Item] = []
    for label in range(count):
        items.append(Here(label))
        items += [Word("COPY", 71, random.randint(1, 99)) for _ in range(random.choice((0, 0, 1)))]
        for _ in range(random.choice((0, 1, 1))):
            name, first = random.choice(_BRANCHES), random.randint(1, 99)
            items.append(Word(name, first=first, second=random.randint(1, 99), target=random.randrange(count)))
        if random.random() < 0.6:
            items.append(Word("JMP", target=random.randrange(count)))
    return [*items, Here(count), Word("RETURN", code=1)]


def copied(items: list[Item]) -> list[Item]:
    return [replace(item) for item in items]


@pytest.mark.parametrize("seed", range(150))
def test_straightened_code_does_the_same(seed: int) -> None:
    """A branch to the next word is left out with its comparison, so comparisons count only where sides differ."""
    random = Random(seed)
    items = program(random)
    made = straightened(copied(items))
    kept = {(item.first, item.second) for item in made if isinstance(item, Word) and item.row.role == "branch"}
    for _ in range(6):
        outcomes = {key: random.random() < 0.5 for key in {(i.first, i.second) for i in items if isinstance(i, Word)}}
        assert run(made, outcomes, kept) == run(items, outcomes, kept)


def run(items: list[Item], outcomes: dict[tuple[int, int], bool], kept: set[tuple[int, int]]) -> list[object]:
    """What the code does where each comparison has one outcome."""
    labels = {item.label: place for place, item in enumerate(items) if isinstance(item, Here)}
    done: list[object] = []
    place = 0
    for _ in range(_STEPS * 8):
        item = items[place]
        place += 1
        if isinstance(item, Here):
            continue
        if item.name == "RETURN":
            return [*done, "end"]
        if item.name == "JMP":
            place = labels[item.target]
        elif item.row.role == "branch":
            if (item.first, item.second) in kept:
                done.append((item.first, item.second))
            holds = outcomes[item.first, item.second]
            place = labels[item.target] if holds == (item.name[:2] == "JG" or item.name[:3] == "JEQ") else place
        else:
            done.append(item.first)
    return done[:_STEPS]


def names(items: list[Item]) -> list[str]:
    return [item.name for item in items if isinstance(item, Word)]


def test_a_jump_to_a_jump_goes_on_to_the_end() -> None:
    items: list[Item] = [
        Word("JGX", target=1),
        Word("COPY"),
        Word("RETURN"),
        Here(1),
        Word("JMP", target=2),
        Word("INC"),
    ]
    items += [Here(2), Word("JMP", target=3), Word("DEC"), Here(4), Word("NEG"), Word("RETURN"), Here(3)]
    items += [Word("ZERO"), Word("JLX", target=4), Word("RETURN")]
    assert names(straightened(items)) == ["JGX", "COPY", "RETURN", "NEG", "RETURN", "ZERO", "JLX", "RETURN"]
    assert isinstance(items[0], Word)
    assert items[0].target == 3


def test_jumps_in_a_circle_stay() -> None:
    items: list[Item] = [Word("COPY"), Here(1), Word("JMP", target=2), Here(2), Word("JMP", target=1), Word("RETURN")]
    assert "RETURN" not in names(straightened(items))


def test_a_jump_to_the_next_word_is_left_out() -> None:
    assert names(straightened([Word("JMP", target=1), Here(0), Here(1), Word("RETURN")])) == ["RETURN"]
    assert names(straightened([Word("JGX", target=1), Here(1), Word("RETURN")])) == ["RETURN"]


@pytest.mark.parametrize(
    ("name", "other"), [("JGX", "JLX"), ("JLY", "JGY"), ("JEQZ", "JNEZ"), ("JNEX", "JEQX"), ("JGZ", "JLZ")]
)
def test_a_jump_around_a_jump_is_the_opposite_jump(name: str, other: str) -> None:
    items: list[Item] = [
        Here(9),
        Word("INC"),
        Word(name, first=5, second=6, target=1),
        Word("JMP", target=9),
        Here(1),
        Word("RETURN"),
    ]
    made = [item for item in straightened(items) if isinstance(item, Word)]
    assert [(word.name, word.first, word.second, word.target) for word in made if word.first] == [(other, 5, 6, 9)]
    assert len(made) == 3


def test_a_jump_around_two_words_stays() -> None:
    items: list[Item] = [
        Here(9),
        Word("INC"),
        Word("JGX", target=1),
        Word("DEC"),
        Word("JMP", target=9),
        Here(1),
        Word("RETURN"),
    ]
    assert names(straightened(items)) == ["INC", "JGX", "DEC", "JMP", "RETURN"]


def test_a_jump_to_the_place_of_a_jump_may_not_be_turned_round() -> None:
    """Something else jumps to the JMP: only what comes from the branch would be right."""
    items: list[Item] = [
        Here(9),
        Word("INC"),
        Word("JGY", target=2),
        Word("JGX", target=1),
        Here(2),
        Word("JMP", target=9),
    ]
    items += [Here(1), Word("RETURN")]
    made = straightened(items)
    assert names(made) == ["INC", "JGY", "JLX", "RETURN"]


def test_what_follows_a_jump_without_a_label_is_left_out() -> None:
    items: list[Item] = [
        Word("JMP", target=1),
        Word("INC"),
        Word("DEC"),
        Here(2),
        Word("NEG"),
        Here(1),
        Word("ZERO"),
        Word("RETURN"),
    ]
    assert names(straightened(items)) == ["ZERO", "RETURN"]
    items = [Word("COPY"), Word("RETURN"), Word("INC"), Word("RETURN")]
    assert names(straightened(items)) == ["COPY", "RETURN"]
