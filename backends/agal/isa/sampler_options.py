"""The words between `<` and `>` of a texture instruction: word -> field of the sampler and value."""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.backends.agal.isa.program import Sampler

#: Field -> its words by value; where a value has several words, the disassembler prints the first.
_WORDS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "dimension": (("2d",), ("cube",), ("3d",)),
    "filter": (
        ("nearest",),
        ("linear",),
        ("anisotropic2x",),
        ("anisotropic4x",),
        ("anisotropic8x",),
        ("anisotropic16x",),
    ),
    "mip": (("mipnone", "nomip"), ("mipnearest",), ("miplinear",)),
    "wrap": (("clamp",), ("repeat", "wrap"), ("clamp_u_repeat_v",), ("repeat_u_clamp_v",)),
    "format": (("rgba",), ("dxt1", "compressed"), ("dxt5", "compressedalpha"), ("video",)),
}
#: Bits of the field `special`.
CENTROID, SINGLE, IGNORE_SAMPLER = 1, 2, 4
_SPECIAL = {"centroid": CENTROID, "single": SINGLE, "ignoresampler": IGNORE_SAMPLER}
_ALL_SPECIAL = CENTROID | SINGLE | IGNORE_SAMPLER

#: Word -> (field, value).  Later words replace earlier ones of their field; those of `special` add up.
OPTIONS: Mapping[str, tuple[str, int]] = {
    **{
        word: (name, value) for name, words in _WORDS.items() for value, spelled in enumerate(words) for word in spelled
    },
    **{word: ("special", bit) for word, bit in _SPECIAL.items()},
}
#: The fields that loaders set by the same words.
_STATES = ("dimension", "filter", "mip", "wrap")
#: Eighths: the steps of the level of detail bias.
BIAS_STEPS = 8


def spell_states(sampler: Sampler) -> dict[str, str]:
    """Field -> its word, of a sampler that the compiler made."""
    return {name: _WORDS[name][getattr(sampler, name)][0] for name in _STATES}


def spell_options(sampler: Sampler) -> list[str] | None:
    """The words of a sampler; None where a field has a value without a word."""
    if sampler.special & ~_ALL_SPECIAL:
        return None
    spelled = []
    for name, words in _WORDS.items():
        value = getattr(sampler, name)
        if value >= len(words):
            return None
        if name != "format" or value:
            spelled.append(words[value][0])
    spelled += [word for word, bit in _SPECIAL.items() if sampler.special & bit]
    if sampler.bias:
        spelled.append(f"{sampler.bias / BIAS_STEPS:g}")
    return spelled
