"""An open text: what it says now, what is known of it, and what it costs."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics import Diagnostic
from glslc_multi.compiler.options import NO_PROOF, QUICK_PROOF
from glslc_multi.compiler.records import dataclass, field
from glslc_multi.failure import internal_error
from glslc_multi.lsp.analysis import Analysis
from glslc_multi.lsp.costs import Cost, Job
from glslc_multi.lsp.positions import DEFAULT_ENCODING
from glslc_multi.lsp.settings import Settings

#: Characters of the largest text that is analysed: some seconds' work.
LARGEST = 1 << 20


@dataclass(slots=True, eq=False)
class Document:
    """One text under one set of settings."""

    uri: str
    filename: str
    text: str
    settings: Settings
    encoding: str = DEFAULT_ENCODING
    #: A mistake of the compiler itself, which kept it from an analysis.
    failure: Diagnostic | None = None
    _analysis: Analysis | None = None
    #: Of the text as it is.
    _costs: dict[str, Cost] = field(default_factory=dict)
    #: Whether nobody has typed for a while: then code is compared with its source.
    rests: bool = False
    _proven: set[str] = field(default_factory=set)

    def change(self, text: str, settings: Settings) -> None:
        """Another text, other settings, or the same where a file that it includes has changed."""
        self.text, self.settings = text, settings
        self._analysis = self.failure = None
        self._costs = {}
        self.rests, self._proven = False, set()

    @property
    def is_too_large(self) -> bool:
        """Whether its analysis would keep every request waiting for seconds."""
        return len(self.text) > LARGEST

    @property
    def analysis(self) -> Analysis | None:
        """What is known of the text; None where it is too large, or where the compiler itself has failed."""
        if self._analysis is None and self.failure is None and not self.is_too_large:
            try:
                self._analysis = self.analyse(self.text)
            except Exception as error:
                self.failure = internal_error(error)
        return self._analysis

    def analyse(self, text: str) -> Analysis:
        """Another text as if it were this one."""
        stage = self.settings.stage_of(self.filename, self.text)
        return Analysis(text, self.filename, stage, self.settings.front_end, self.encoding)

    # --------------------------------------------------------------------------------------- costs
    @property
    def jobs(self) -> list[Job]:
        """What is to be asked about the text as it is."""
        analysis = self.analysis
        if analysis is None or not analysis.is_compilable or analysis.known_stage is None:
            return []
        options = self.settings.front_end
        facts = (dict(options.defines), list(options.include_dirs), options.std, options.compat)
        shown = self.settings.shown_targets
        asked = [(name, NO_PROOF) for name in shown if name not in self._costs]
        if self.rests:
            fitting = [name for name in shown if name in self._costs and self._costs[name].fits]
            asked += [(name, QUICK_PROOF) for name in fitting if name not in self._proven]
        return [Job(self.text, self.filename, analysis.known_stage, name, *facts, proof) for name, proof in asked]

    def learn(self, job: Job, cost: Cost) -> bool:
        """Note a cost; whether it is that of the text as it is."""
        if job not in self.jobs:
            return False
        self._costs[job.target] = cost
        if job.proof != NO_PROOF:
            self._proven.add(job.target)
        return True

    @property
    def costs(self) -> list[Cost]:
        """The costs that are known, in the order of the targets."""
        return [self._costs[name] for name in self.settings.shown_targets if name in self._costs]

    @property
    def demanded_costs(self) -> list[Cost]:
        """The costs on targets that the user has named: what these refuse is worth a message."""
        return self.costs if self.settings.targets else []
