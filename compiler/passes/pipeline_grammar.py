"""The grammar of pipelines: text in, the steps it names out, whatever passes there are.

The comment above a rule is an example of what it reads.  After a `-` nothing else can be meant: what does not fit there
is the mistake.
"""

from __future__ import annotations

import re

from pyparsing import Forward, Group, Opt, ParserElement, Regex, StringEnd, Suppress, ZeroOrMore

from compiler.records import dataclass

#: A word of the text with its place.
Word = re.Match[str]


@dataclass(frozen=True, slots=True)
class Option:
    """`max=64`"""

    name: Word
    value: Word


@dataclass(frozen=True, slots=True)
class PassStep:
    """`loop-unroll{max=64}`"""

    name: Word
    options: list[Option]


@dataclass(frozen=True, slots=True)
class RepeatStep:
    """`repeat{rounds=3}(gvn,dce)`"""

    options: list[Option]
    steps: list[Step]


#: A pass without options is only its name.
Step = Word | PassStep | RepeatStep

#: A whole word, never a part of one.
WORD = "[A-Za-z0-9_.-]++"
REPEAT = "repeat(?![A-Za-z0-9_.-])"


def word(name: str, pattern: str = WORD) -> ParserElement:
    """A word that is kept with its place."""
    return Regex(pattern, as_match=True).set_name(name)


def listed(element: ParserElement) -> ParserElement:
    """One or more with commas between them; after a comma another one must follow."""
    return element + ZeroOrMore(comma - element)


comma, equals, left, right, opening, closing = (Suppress(mark) for mark in ",={}()")

# max=64
option = word("an option's name") - equals + word("a value")
option.set_name("an option").set_parse_action(lambda _text, _start, tokens: Option(*tokens))
# {max=64,full=true}
options = (left - listed(option) + right).set_name("options")
steps = Forward()
steps.set_name("steps")
# repeat{rounds=3}(gvn,dce)
keyword = Suppress(Regex(REPEAT).set_name("'repeat'"))
repeat = keyword - Group(Opt(options), aslist=True) + opening + Group(steps, aslist=True) + closing
repeat.set_name("a group").set_parse_action(lambda _text, _start, tokens: RepeatStep(*tokens))
# dce
plain = word("the name of a pass", rf"(?!{REPEAT}){WORD}(?!\s*{{)")
# loop-unroll{max=64}
configured = word("the name of a pass") - Group(options, aslist=True)
configured.set_name("a pass with options").set_parse_action(lambda _text, _start, tokens: PassStep(*tokens))
step = (plain | repeat | configured).set_name("a pass's name")
steps <<= listed(step)
#: The steps of a pipeline, which may have none.
pipeline = StringEnd() | steps - StringEnd().set_name("',' or the end")
pipeline.set_name("a pipeline").parse_with_tabs()
