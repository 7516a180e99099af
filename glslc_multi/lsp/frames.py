"""Standard input as frames of the protocol: a frame that says it is too large is passed over, and the session goes on.

The contents of such a frame are never held.  The next frame begins where the next header is: JSON has no line breaks in
its strings, so no content looks like a header, and a frame that is shorter than it says takes no other one with it.
"""

from __future__ import annotations

import re
from typing import BinaryIO

#: Bytes of content that a frame may have, and of a line of its header.
LARGEST_FRAME, _LONGEST_LINE = 64 << 20, 1 << 16
_MOST_DIGITS = 18
_LENGTH = re.compile(rb"Content-Length: (\d+)\r\n")
#: What stands for the content of a frame that is passed over; it is no JSON, so that it is reported as wrong.
_TOO_LARGE = b"a message of more than %d bytes" % LARGEST_FRAME


class Frames:
    """What the server reads from: lines of headers, then as many bytes as these say."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._next_header = b""

    def readline(self) -> bytes:
        """A line of a header, nothing at the end; a length of too many digits is only too large."""
        try:
            line, self._next_header = self._next_header or self._stream.readline(_LONGEST_LINE), b""
        except OSError:
            # Standard input is closed.
            return b""
        length = _LENGTH.fullmatch(line)
        is_endless = length is not None and len(length[1]) > _MOST_DIGITS
        return b"Content-Length: %d\r\n" % (LARGEST_FRAME + 1) if is_endless else line

    def read(self, size: int) -> bytes:
        """The content of a frame."""
        if size <= LARGEST_FRAME:
            return self._stream.read(size)
        last = b""
        while piece := self._stream.readline(_LONGEST_LINE):
            header = _LENGTH.search(last + piece)
            if header:
                self._next_header = header[0]
                break
            last = piece
        return _TOO_LARGE
