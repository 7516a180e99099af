"""What the machine code of the examples draws, for a page that has no simulators: drawn when it is built.

In: the examples.  Out: the settings that the page opens with, and for each example and target the answer that the page
would have had, as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from glslc_multi.backends.registry import target_names
from glslc_multi.playground.session import answer

#: As in `web/src/state.js` and `web/src/picture.js`: with others the page does not show these pictures.
SETTINGS = {"flags": "-O2", "mesh": "sphere", "size": 112}


def drawn_data(examples: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    """Settings, and answers by example and target."""
    answers = {name: {target: _draw(texts, target) for target in target_names()} for name, texts in examples.items()}
    return {"settings": SETTINGS, "answers": answers}


def _draw(texts: Mapping[str, str], target: str) -> Any:
    shaders = {stage: {"stage": stage, "name": stage, "text": text, **SETTINGS} for stage, text in texts.items()}
    return json.loads(answer(json.dumps({"ask": "picture", "target": target, **SETTINGS, **shaders})))
