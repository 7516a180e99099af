"""What is known of an open text is of the text as it is."""

from __future__ import annotations

import pytest

pytest.importorskip("lsprotocol", reason="the extra 'lsp' is not installed")

from glslc_multi.compiler.records import replace
from glslc_multi.lsp.costs import Cost
from glslc_multi.lsp.document import Document
from glslc_multi.lsp.settings import Settings
from tests.glslc_multi.lsp.test_navigate import shader


def test_the_cost_of_an_earlier_text_is_not_learned() -> None:
    settings = Settings(targets=("agal",))
    document = Document("file:///a.frag", "/a.frag", shader("", "gl_FragColor = vec4(1.0);"), settings)
    (job,) = document.jobs
    cost = Cost("agal", True, "")
    document.change(shader("", "gl_FragColor = vec4(0.5);"), settings)
    assert not document.learn(job, cost) and document.costs == []
    (job,) = document.jobs
    assert document.learn(job, cost) and document.costs == [cost] and document.jobs == []


def test_code_is_proven_once_the_text_rests() -> None:
    settings = Settings(targets=("agal", "theia"))
    document = Document("file:///a.frag", "/a.frag", shader("", "gl_FragColor = vec4(1.0);"), settings)
    fitting, other = document.jobs
    assert (fitting.proof, other.proof) == ("off", "off")
    assert document.learn(fitting, Cost("agal", True, "")) and document.learn(other, Cost("theia", False, ""))
    assert document.jobs == []
    document.rests = True
    (proof,) = document.jobs
    assert proof == replace(fitting, proof="quick")
    wrong = Cost("agal", False, "internal error")
    assert document.learn(proof, wrong) and document.costs[0] == wrong and document.jobs == []
    document.change(shader("", "gl_FragColor = vec4(0.5);"), settings)
    assert [job.proof for job in document.jobs] == ["off", "off"]
