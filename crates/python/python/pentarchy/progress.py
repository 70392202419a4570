"""A progress bar with the time left, on the standard error stream if that is a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import TracebackType

#: Seconds between two lines.
_EVERY = 0.1
#: Characters of the bar.
_WIDTH = 30


def _clock(seconds: float) -> str:
    """Returns a duration as text: `5 s`, `3:20`, `2:05:00`."""
    whole = int(seconds + 0.5)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class ProgressBar:
    """Counts finished parts of equal length. A context manager: the line is cleared at its end."""

    def __init__(
        self, size: int, parts: int, what: str, callback: Callable[[int, int], None] | None = None
    ) -> None:
        """Begins at 0 of `parts` parts, which together have `size` things called `what`.

        A `callback` gets the number of finished parts and of all; without one, a terminal shows the bar.
        """
        self.size, self.parts, self.what = size, parts, what
        self.done = 0
        self._callback = callback
        self._shown = callback is None and sys.stderr.isatty()
        self._begun = time.monotonic()
        self._last = 0.0

    def advance(self, note: str = "") -> None:
        """Counts one part, and shows it with a note, such as the number of nodes."""
        self.done += 1
        if self._callback is not None:
            self._callback(self.done, self.parts)
        self.show(note)

    def line(self, note: str = "") -> str:
        """Returns the line: bar, share, time left, note."""
        share = self.done / max(self.parts, 1)
        filled = int(share * _WIDTH)
        spent = time.monotonic() - self._begun
        left = _clock(spent / share - spent) + " left" if share else "time left not known yet"
        size = f"{self.size:,}"
        ending = f", {note}" if note else ""
        return f"{'█' * filled}{'░' * (_WIDTH - filled)} {share:4.0%} of {size} {self.what}, {left}{ending}"

    def show(self, note: str = "") -> None:
        """Writes the line over the last one, at most ten times a second."""
        now = time.monotonic()
        if self._shown and now - self._last >= _EVERY:
            self._last = now
            sys.stderr.write(f"\r{self.line(note)}\x1b[K")
            sys.stderr.flush()

    def __enter__(self) -> ProgressBar:
        self.show()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
