"""Looks at one bit of the machine all the time, with a clock of its own."""

import os
import threading
import time


class Watch:
    """Samples a file of the kernel in a thread.

    `edges` are the changes as (monotonic seconds, whether active); `gaps` the times in which it could not look, being kept from
    running: what is measured then says nothing.
    """

    PAUSE = 0.002
    TOO_LONG = 0.025

    def __init__(self, path, is_active):
        self._descriptor = os.open(path, os.O_RDONLY)
        self._is_active = is_active
        self._changed = threading.Condition()
        self._ended = False
        self.gaps = []
        self.edges = [(time.monotonic(), is_active(os.pread(self._descriptor, 64, 0)))]
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._ended = True
        self._thread.join()
        os.close(self._descriptor)

    def _look(self):
        before = time.monotonic()
        while not self._ended:
            active = self._is_active(os.pread(self._descriptor, 64, 0))
            now = time.monotonic()
            if now - before > self.TOO_LONG:
                self.gaps.append((before, now))
            before = now
            if active != self.edges[-1][1]:
                with self._changed:
                    self.edges.append((now, active))
                    self._changed.notify_all()
            time.sleep(self.PAUSE)

    @property
    def active(self):
        return self.edges[-1][1]

    def wait(self, active, seconds, since=0):
        """When it first turned so, from `since` on; waits for it."""
        deadline = time.monotonic() + seconds
        with self._changed:
            while True:
                for at, state in self.edges:
                    if at >= since and state == active:
                        return at
                if not self._changed.wait(max(0, deadline - time.monotonic())) and time.monotonic() >= deadline:
                    raise TimeoutError(f"not {'active' if active else 'inactive'} within {seconds} s")

    def last_active(self, since):
        """Until when it was active, from `since` on; `since` if it was not."""
        if self.active:
            return time.monotonic()
        ends = [at for at, state in self.edges if not state and at > since]
        return max(ends, default=since)

    def was_disturbed(self, start, end):
        """Whether the machine kept this thread from looking in that time."""
        return any(after > start and before < end for before, after in self.gaps)


def line(number):
    """The level of a line of the simulated chip."""
    return Watch(f"{os.environ['VPI_GPIO']}/sim_gpio{number}/value", lambda text: text[:1] == b"1")


def loopback_playback():
    """Whether the loopback card is playing."""
    return Watch("/proc/asound/card0/pcm0p/sub0/status", lambda text: text.startswith(b"state: RUNNING"))


def pull(number, up):
    """Acts on a line from outside, as a button or a resistor does."""
    descriptor = os.open(f"{os.environ['VPI_GPIO']}/sim_gpio{number}/pull", os.O_WRONLY)
    os.write(descriptor, b"pull-up" if up else b"pull-down")
    os.close(descriptor)
