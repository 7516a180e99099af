"""The grammar of pipelines: text in, the steps it names out, whatever passes there are.

The comment above a rule is an example of what it reads.  After a `-` nothing else can be meant: what does not fit there
is the mistake.
"""

from __future__ import annotations

from pyparsing import Forward, Opt, StringEnd

from glslc_multi.compiler.parsing import Word, list_of, listed, mark, rule, word
from glslc_multi.compiler.records import dataclass


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

# max=64
option = rule("an option", word("an option's name", WORD) - "=" + word("a value", WORD), Option)
# {max=64,full=true}
options = "{" - listed(option) + "}"
steps = Forward()
# repeat{rounds=3}(gvn,dce)
group = mark("repeat") - list_of(Opt(options)) + "(" + list_of(steps) + ")"
repeat = rule("a group", group, RepeatStep)
# dce
plain = word("the name of a pass", rf"(?!repeat(?![\w.-])){WORD}(?!\s*{{)")
# loop-unroll{max=64}
configured = rule("a pass with options", word("the name of a pass", WORD) - list_of(options), PassStep)
step = (plain | repeat | configured).set_name("a pass's name")
steps <<= listed(step).set_name("steps")
#: A list of the steps, which may have none.
pipeline = list_of(StringEnd() | listed(step) - StringEnd().set_name("',' or the end"))
pipeline.set_name("a list of passes").parse_with_tabs()
