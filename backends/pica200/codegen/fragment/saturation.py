"""What the host adds to a colour, and what of it is beyond 1: the last stage would clamp it, so a constant may as well.

    min(x + k, 1) = min(x + min(k, 1), 1)        where x is never below 0

A constant is a byte, and k may be a sum above 1 by the promised ranges: `v_light * u_diffuse + (u_ambient + u_glow)`.
"""

from __future__ import annotations

from backends.pica200.codegen.fragment.algebra.polynomials import HostNumber, HostPart, Polynomial, polynomial
from backends.pica200.codegen.fragment.algebra.ranges import TOLERANCE, lies_in_unit, range_of
from backends.pica200.codegen.fragment.hosting import Host


def saturated(channel: Polynomial, host: Host) -> Polynomial:
    """The same of a channel of the pixel, as it is after its clamp."""
    fixed = Polynomial({m: f for m, f in channel.terms.items() if all(isinstance(a, HostNumber) for a in m)})
    rest = channel - fixed
    if not rest:
        return channel if lies_in_unit(channel) else polynomial(HostPart(channel))
    low, high = range_of(fixed)
    if fixed.constant is not None or high <= 1 + TOLERANCE or range_of(rest)[0] < -TOLERANCE:
        return channel
    return rest + host.at_most_one(fixed, float(low))
