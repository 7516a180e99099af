"""A run of the fuzzer: inputs go to workers, results to the state, findings to a folder."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from glslc_multi.backends.registry import load_target, target_names
from glslc_multi.compiler.records import dataclass, field
from tests.fuzz.attempt import attempt, run_command
from tests.fuzz.case import FINDING, Case, Finding, Mode, Verdict
from tests.fuzz.inputs import Inputs
from tests.fuzz.minimise import Minimiser
from tests.fuzz.state import State
from tests.fuzz.texts import load_texts
from tests.fuzz.workers import Crew, Limits, Result, attempt_alone

#: Inputs that a worker gets at a time: about half a second of work.
_BLOCK: dict[Mode, int] = {"frontend": 100, "compiler": 20}
_SAVE_EVERY, _SPEAK_EVERY = 10.0, 60.0
#: Time on the clock for making one finding smaller.
MINIMISE_SECONDS = 90.0


class OtherRun(Exception):
    """A state file is that of another run."""


@dataclass(slots=True)
class Campaign:
    """A run: which inputs, by whom, and where its results go."""

    inputs: Inputs
    state: State
    limits: Limits = field(default_factory=Limits)
    jobs: int = 1
    state_file: Path | None = None
    findings_folder: Path | None = None
    minimise_seconds: float = MINIMISE_SECONDS
    say: Callable[[str], None] = lambda line: print(line, flush=True)

    def run(self, count: int) -> None:
        """Try what is missing of the first `count` inputs; an interrupt leaves the state as it is then."""
        preload()
        self._try_again()
        saved = spoken = begun = time.monotonic()
        before = self.state.inputs
        try:
            blocks = self.state.missing(count, _BLOCK[self.inputs.mode])
            for result in Crew(self._try, self.limits, self.jobs).run(blocks):
                self._add(result)
                now = time.monotonic()
                if now - saved > _SAVE_EVERY:
                    saved = now
                    self._save()
                if now - spoken > _SPEAK_EVERY:
                    spoken = now
                    self.say(self._progress(count, (self.state.inputs - before) / (now - begun)))
        finally:
            self._save()
        for found in self.state.findings:
            self._finish(found)
        self._save()

    def _try_again(self) -> None:
        """Inputs that failed in an earlier run: those that are mended leave the state's findings."""
        known, self.state.findings = self.state.findings, []
        for found in known:
            for number in (found.number, *found.others):
                case = self.inputs.case(number)
                verdict = attempt_alone(case, self.limits)
                if verdict.outcome == FINDING:
                    self._add_finding(number, case, verdict)
                else:
                    self.state.mend(case.origin, verdict.outcome)
                    self.say(f"mended: {found.mode} seed {found.seed} input {number}: {found.signature}")

    def _try(self, number: int) -> tuple[str, Verdict]:
        case = self.inputs.case(number)
        return case.origin, attempt(case)

    def _add(self, result: Result) -> None:
        self.state.add(result)
        for number, verdict in result.findings:
            self._add_finding(number, self.inputs.case(number), verdict)

    def _add_finding(self, number: int, case: Case, verdict: Verdict) -> None:
        found = Finding(self.inputs.mode, self.inputs.seed, number, verdict.signature, verdict.details, case)
        if self.state.add_finding(found):
            self.say(found.title)

    def _finish(self, found: Finding) -> None:
        """Look for the smallest case of a finding, and write it out."""
        if found.smallest is None:
            found.smallest = self._minimised(found.case, found.signature)
            self.say(f"{found.title}, {found.count} times; smallest:\n{show_case(found.smallest)}\n{found.details}")
        if self.findings_folder is not None:
            write_finding(found, self.findings_folder)

    def _minimised(self, case: Case, signature: str) -> Case:
        judge = lambda candidate: attempt_alone(candidate, self.limits)  # noqa: E731
        return Minimiser(case, signature, judge, self.minimise_seconds).run()

    def _save(self) -> None:
        if self.state_file is not None:
            self.state.save(self.state_file)

    def _progress(self, count: int, rate: float) -> str:
        done, mode = self.state.inputs, self.inputs.mode
        left = (count - done) / rate / 3600 if rate else 0.0
        return (
            f"{time.strftime('%H:%M')} {mode} seed {self.inputs.seed}: {done:,} of {count:,} inputs "
            f"({100 * done / count:.1f} %), {len(self.state.findings)} findings, {rate:.0f} a second, {left:.1f} h left"
        )


def open_campaign(
    mode: Mode, seed: int, *, paths: Sequence[Path] = (), std: str = "", state_file: Path | None = None, jobs: int = 1
) -> Campaign:
    """A run that goes on from its state file, where there is one."""
    texts = load_texts(paths, std)
    state = State(mode, seed, texts.digest)
    if state_file is not None and state_file.exists():
        known = State.load(state_file)
        if (known.mode, known.seed, known.digest) != (mode, seed, texts.digest):
            raise OtherRun(f"{state_file} is of {known.mode} inputs of seed {known.seed}, or of other texts to mutate")
        state = known
    return Campaign(Inputs(mode, seed, texts), state, jobs=jobs, state_file=state_file)


def preload() -> None:
    """Load what inputs need, for all workers at once."""
    for name in target_names():
        load_target(name).preload()
    shader = b"attribute vec4 a; void main() { gl_Position = a; }"
    attempt(Case("", {"fuzz.vert": shader}))
    attempt(Case("", {"fuzz.vert": shader}, ("compile", "fuzz.vert", "--target", "vc4", "-o", "out.qpu")))
    run_command(("targets",))


def show_case(case: Case) -> str:
    """A case for people: its command line and its files."""
    command = [f"glslc-multi {' '.join(case.arguments)}"] if case.arguments else []
    files = [f"{name}: {data.decode('utf-8', 'backslashreplace')}" for name, data in case.files.items()]
    return "\n".join([*command, *files])


def write_finding(found: Finding, folder: Path) -> None:
    """The files of a finding and of its smallest case, with what is known about it."""
    place = re.sub(r"\W+", "-", found.signature).strip("-")[:60]
    own = folder / f"{found.mode}-{found.seed}-{found.number}-{place}"
    for name, case in (("found", found.case), ("smallest", found.smallest or found.case)):
        (own / name).mkdir(parents=True, exist_ok=True)
        for file, data in case.files.items():
            (own / name / file).write_bytes(data)
    about = [found.title, f"{found.count} inputs", show_case(found.smallest or found.case), found.details]
    (own / "about.txt").write_text("\n".join(about), encoding="utf-8", errors="backslashreplace")


def try_one(inputs: Inputs, number: int) -> Verdict:
    """One input, shown with its verdict."""
    case = inputs.case(number)
    verdict = attempt_alone(case, Limits())
    sys.stdout.buffer.write(f"{show_case(case)}\n".encode("utf-8", "backslashreplace"))
    print(" ".join([verdict.outcome, verdict.signature]), verdict.details, sep="\n")
    return verdict
