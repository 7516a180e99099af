"""What instructions ask of a word, and which may share one."""

from __future__ import annotations

from backends.vc4.codegen.machine_ops import ACCUMULATORS, IMM, IN_B, PORT, A, B, operation
from backends.vc4.codegen.schedule.words import Ports, Words, draft_of, place_of, ports_of
from backends.vc4.isa import registers
from compiler.codegen.machine import Def, Literal32, MachineInstruction, Use

#: More words of the stream than any field of a number has had room for.
_MANY = 5000


def _ports(*uses: Use, words: Words) -> Ports | None:
    return ports_of(tuple(place_of(use, words) for use in uses), None)


def _stream(number: int) -> Use:
    return Use(Literal32((number,)))


def test_two_ports_read_what_they_can() -> None:
    words: Words = {}
    a, other_a, b, other_b = Use(A[3]), Use(A[4]), Use(B[3]), Use(B[4])
    small, other_small = Use(IMM[3]), Use(IMM[4])
    varying, accumulator = Use(PORT[registers.VARYING_READ]), Use(ACCUMULATORS[1])
    readable = [(a, a), (a, b), (a, small), (a, varying), (b, varying), (varying, _stream(1)), (accumulator, a), (a,)]
    unreadable = [(a, other_a), (b, other_b), (b, small), (small, other_small), (_stream(1), _stream(2))]
    assert all(_ports(*uses, words=words) is not None for uses in readable)
    assert all(_ports(*uses, words=words) is None for uses in unreadable)
    assert _ports(a, b, _stream(1), words=words) is None


def test_any_number_of_words_of_the_stream_is_told_apart() -> None:
    words: Words = {}
    asked = [_ports(_stream(number), words=words) for number in range(_MANY)]
    last = asked[-1]
    assert last is not None
    assert not any(ports is None or not ports.rivals & last.bits for ports in asked[:-1])
    assert not last.rivals & last.bits


def test_words_share_a_port_or_part() -> None:
    def add(*uses: Use) -> MachineInstruction:
        return MachineInstruction(operation("fadd"), [Def(ACCUMULATORS[0])], uses)

    def multiply(*uses: Use) -> MachineInstruction:
        return MachineInstruction(operation("fmul"), [Def(ACCUMULATORS[1])], uses)

    accumulator = Use(ACCUMULATORS[2])
    both = draft_of([add(Use(A[3]), _stream(7)), multiply(accumulator, _stream(7))])
    assert both is not None and both.takes_stream
    word = both.encode()
    assert (word.raddr_a, word.raddr_b) == (3, registers.UNIFORM_READ)  # type: ignore[union-attr]
    assert draft_of([add(accumulator, _stream(7)), multiply(accumulator, _stream(8))]) is None
    assert draft_of([add(Use(A[3]), Use(B[3])), multiply(accumulator, _stream(8))]) is None
    assert draft_of([add(Use(A[3]), Use(B[3])), add(accumulator, accumulator)]) is None
    either_file = draft_of([add(accumulator, Use(PORT[IN_B + 41])), multiply(accumulator, Use(PORT[41]))])
    assert either_file is not None
