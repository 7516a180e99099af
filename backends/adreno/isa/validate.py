"""Which rules of the hardware a program breaks."""

from __future__ import annotations

from backends.xenos_family.isa.validate import Fault, validate

__all__ = ["Fault", "validate"]
