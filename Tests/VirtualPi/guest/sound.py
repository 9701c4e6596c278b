"""What was played on the loopback card: recorded with arecord, judged by its samples."""

import array
import cmath
import math
import os
import subprocess
import time
import wave

RATE = 48_000


class Recording:
    """Records the loopback card's other end from its making on."""

    def __init__(self, path):
        self.path = path
        # A buffer of two seconds: what the recorder misses would look like a gap.
        self._process = subprocess.Popen(
            ["arecord", "-q", "-D", "hw:0,1", "-f", "S16_LE", "-r", str(RATE), "-c", "2", "-t", "raw", "--buffer-time=2000000", path],
            stderr=subprocess.PIPE)
        deadline = time.monotonic() + 10
        while not (os.path.exists(path) and os.path.getsize(path)):
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise OSError("arecord does not record: " + self._process.stderr.read().decode())
            time.sleep(0.02)

    def end(self):
        """The left channel's samples. None where the recorder itself has missed some."""
        self._process.terminate()
        errors = self._process.communicate()[1].decode()
        samples = array.array("h", open(self.path, "rb").read())[::2]
        os.remove(self.path)
        return None if "overrun" in errors else samples


def write_sine(path, frequency, seconds):
    """A WAV file of nothing but a tone. It ends where it begins if that is a whole number of waves."""
    with wave.open(path, "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        tone = (round(26_000 * math.sin(2 * math.pi * frequency * index / RATE)) for index in range(round(seconds * RATE)))
        file.writeframes(array.array("h", tone).tobytes())


def start(samples):
    """The index of the first sample that is not silent."""
    for index, sample in enumerate(samples):
        if sample:
            return index
    raise ValueError("the recording is silent")


def main_frequency(samples):
    """The strongest frequency in hertz, and the share of the energy that lies within 20 Hz of it."""
    count = 8_192
    part = [samples[index] * (0.5 - 0.5 * math.cos(2 * math.pi * index / count)) for index in range(count)]
    energy = [abs(value) ** 2 for value in transform(part)[: count // 2]]
    width = RATE / count
    strongest = max(range(1, len(energy)), key=energy.__getitem__)
    near = round(20 / width)
    share = sum(energy[max(0, strongest - near) : strongest + near + 1]) / sum(energy)
    # The peak lies between two bins, nearer to the one with the larger neighbour.
    before, peak, after = (math.log(energy[strongest + offset] + 1e-9) for offset in (-1, 0, 1))
    return (strongest + (before - after) / (2 * (before - 2 * peak + after))) * width, share


def transform(values):
    """The discrete Fourier transform; their number is a power of two."""
    count = len(values)
    if count == 1:
        return values
    even, odd = transform(values[::2]), transform(values[1::2])
    turned = [cmath.exp(-2j * math.pi * index / count) * odd[index] for index in range(count // 2)]
    return [a + b for a, b in zip(even, turned)] + [a - b for a, b in zip(even, turned)]


def beeps(samples, pause=0.02):
    """The parts of a recording between pauses, which are digital silence."""
    found, first, last = [], None, None
    for index, sample in enumerate(samples):
        if not sample:
            continue
        if first is not None and index - last > pause * RATE:
            found.append(samples[first : last + 1])
            first = None
        if first is None:
            first = index
        last = index
    if first is not None:
        found.append(samples[first : last + 1])
    return found


def loudness(samples):
    """The root of the mean square."""
    return math.sqrt(sum(sample * sample for sample in samples) / len(samples))


def faults(samples, frequency):
    """Where a pure tone is not one: the longest silence in it in milliseconds, and how often the wave does not run on.

    A sine follows from its last two samples; rounding adds two at most.
    """
    twice = 2 * math.cos(2 * math.pi * frequency / RATE)
    longest = run = breaks = 0
    broken = -RATE
    for index in range(2, len(samples)):
        sample = samples[index]
        run = run + 1 if abs(sample) < 8 else 0
        longest = max(longest, run)
        if abs(twice * samples[index - 1] - samples[index - 2] - sample) > 8:
            # Each break shows in some samples that follow one another.
            if index - broken > RATE // 100:
                breaks += 1
            broken = index
    return longest / RATE * 1000, breaks
