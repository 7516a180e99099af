"""What instructions need of a word, and which may share one."""

from __future__ import annotations

from glslc_multi.backends.vc4.codegen.machine_ops import ACCUMULATORS, IMM, IN_B, OUT, PORT, A, B, operation
from glslc_multi.backends.vc4.codegen.schedule.bundle import bundle_of
from glslc_multi.backends.vc4.codegen.schedule.ports import Ports, StreamNumbers, location_of, ports_of
from glslc_multi.backends.vc4.isa import registers
from glslc_multi.compiler.codegen.machine import Def, Literal32, MachineInstruction, Use
from glslc_multi.compiler.codegen.registers import Register

#: More words of the stream than a field of a number could hold.
_MANY = 5000


def _ports(*uses: Use, stream: StreamNumbers) -> Ports | None:
    return ports_of(tuple(location_of(use, stream) for use in uses), None)


def _stream(number: int) -> Use:
    return Use(Literal32((number,)))


def test_two_ports_read_what_they_can() -> None:
    stream: StreamNumbers = {}
    a, other_a, b, other_b = Use(A[3]), Use(A[4]), Use(B[3]), Use(B[4])
    small, other_small = Use(IMM[3]), Use(IMM[4])
    varying, accumulator = Use(PORT[registers.VARYING_READ]), Use(ACCUMULATORS[1])
    readable = [(a, a), (a, b), (a, small), (a, varying), (b, varying), (varying, _stream(1)), (accumulator, a), (a,)]
    unreadable = [(a, other_a), (b, other_b), (b, small), (small, other_small), (_stream(1), _stream(2))]
    assert all(_ports(*uses, stream=stream) is not None for uses in readable)
    assert all(_ports(*uses, stream=stream) is None for uses in unreadable)
    assert _ports(a, b, _stream(1), stream=stream) is None


def test_words_of_the_stream_conflict_whatever_their_number() -> None:
    stream: StreamNumbers = {}
    ports_of_words = [_ports(_stream(number), stream=stream) for number in range(_MANY)]
    last = ports_of_words[-1]
    assert last is not None
    assert not any(ports is None or not ports.conflicts & last.mask for ports in ports_of_words[:-1])
    assert not last.conflicts & last.mask


def test_instructions_that_read_alike_share_a_word() -> None:
    def add(*uses: Use) -> MachineInstruction:
        return MachineInstruction(operation("fadd"), [Def(ACCUMULATORS[0])], uses)

    def multiply(*uses: Use) -> MachineInstruction:
        return MachineInstruction(operation("fmul"), [Def(ACCUMULATORS[1])], uses)

    accumulator = Use(ACCUMULATORS[2])
    both = bundle_of([add(Use(A[3]), _stream(7)), multiply(accumulator, _stream(7))])
    assert both is not None and both.takes_stream
    word = both.encode()
    assert (word.raddr_a, word.raddr_b) == (3, registers.UNIFORM_READ)  # type: ignore[union-attr]
    assert bundle_of([add(accumulator, _stream(7)), multiply(accumulator, _stream(8))]) is None
    assert bundle_of([add(Use(A[3]), Use(B[3])), multiply(accumulator, _stream(8))]) is None
    assert bundle_of([add(Use(A[3]), Use(B[3])), add(accumulator, accumulator)]) is None
    either_file = bundle_of([add(accumulator, Use(PORT[IN_B + 41])), multiply(accumulator, Use(PORT[41]))])
    assert either_file is not None


def test_two_results_of_a_word_go_to_different_places() -> None:
    def both(first: Register, second: Register) -> bool:
        source = Use(ACCUMULATORS[2])
        add = MachineInstruction(operation("fadd"), [Def(first)], [source, source])
        multiply = MachineInstruction(operation("fmul"), [Def(second)], [source, source])
        return bundle_of([add, multiply]) is not None

    possible = [(A[3], B[3]), (B[3], A[4]), (A[3], ACCUMULATORS[0]), (ACCUMULATORS[0], ACCUMULATORS[1])]
    possible += [(ACCUMULATORS[1], B[0]), (OUT[registers.VPM], A[3]), (OUT[registers.VPM], ACCUMULATORS[0])]
    impossible = [
        (A[3], A[4]),
        (B[3], B[3]),
        (ACCUMULATORS[0], ACCUMULATORS[0]),
        (OUT[registers.VPM], OUT[registers.VPM]),
    ]
    assert all(both(*pair) and both(*reversed(pair)) for pair in possible)
    assert not any(both(*pair) for pair in impossible)
