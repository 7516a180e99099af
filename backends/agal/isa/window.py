"""What stands for gl_FragCoord: the code generator writes it into the register map, hosts read it.

The vertex program, of a linked pair or the host's own, passes in a varying what gl_FragCoord is made of
(`compiler/lowering/interface/window.py`); interpolated and divided by w, it is right in every pixel.
"""

from __future__ import annotations

#: The varying: x and y of the window, each times w; w of the position; its depth before the division by w.
WINDOW = "$window"
#: Component of gl_FragCoord -> that of the varying.  w is needed with any of them, depth rarely.
WINDOW_LANES = (0, 1, 3, 2)
