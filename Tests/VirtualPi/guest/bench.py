"""What the checks share: where things are, the list of checks, and how a time is judged."""

import functools
import time

# Set by check-hardware: the folder of the binary, a folder for files, and the broker.
binary = None
directory = None
broker = None

checks = []


class Disturbed(Exception):
    """The machine was busy with other things while something was timed."""


def check(function):
    """Makes a generator a check: it yields what it measured, line by line, and raises what is wrong."""
    checks.append(function)
    return function


def require(condition, message):
    if not condition:
        raise AssertionError(message)


def undisturbed(function):
    """Measures again, at most three times, where the emulator kept even the judge from running."""

    @functools.wraps(function)
    def measure(*arguments, **keys):
        for _ in range(3):
            try:
                return function(*arguments, **keys)
            except Disturbed:
                time.sleep(1)
        return function(*arguments, **keys)

    return measure


def judge_time(watcher, start, end, limit, what):
    """The time in milliseconds from start to end; over the limit it is wrong, unless the judge could not look."""
    taken = (end - start) * 1000
    if taken > limit:
        if watcher.was_disturbed(start, end):
            raise Disturbed(f"{what} after {taken:.0f} ms, but the machine was busy")
        raise AssertionError(f"{what} only after {taken:.0f} ms (limit {limit} ms)")
    return taken


def spread(values, limit):
    values = sorted(values)
    return f"{values[0]:.0f}, {values[len(values) // 2]:.0f}, {values[-1]:.0f} ms (least, median, most of {len(values)}; limit {limit})"
