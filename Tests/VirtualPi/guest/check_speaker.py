"""The speaker, on the loopback card."""

import time

import bench
import sound
import watch
from bench import Disturbed, check, judge_time, require, spread, undisturbed
from node import Node


def record(node, seconds, **alarm):
    """What is played of an alarm in its first seconds."""
    for _ in range(3):
        recording = sound.Recording(f"{bench.directory}/recording")
        due = node.alarm(1, **alarm)
        time.sleep(max(0, due - time.monotonic()) + seconds)
        samples = recording.end()
        node.request("stop")
        time.sleep(0.5)
        if samples is not None:
            return samples[sound.start(samples) :]
    raise Disturbed("the recorder missed samples three times")


def node_with_speaker():
    return Node({"speaker": {"device": "hw:0,0"}}, sounds=bench.directory)


@check
def speaker():
    with watch.loopback_playback() as card, node_with_speaker() as node:

        @undisturbed
        def ring_and_stop():
            due = node.alarm(1)
            began = card.wait(True, 5, since=due - 0.05)
            lateness = judge_time(card, due, began, 200, "the card played")
            time.sleep(1)
            stopped = node.request("stop")
            time.sleep(0.7)
            return lateness, judge_time(card, stopped, card.last_active(stopped), 200, "the card ended")

        times = [ring_and_stop() for _ in range(3)]
        yield "card plays after the due instant: " + spread([late for late, _ in times], 200)
        yield "card silent after a stop: " + spread([silence for _, silence in times], 200)


@check
def speaker_tone():
    with node_with_speaker() as node:
        samples = record(node, 1.5)
        frequency, share = sound.main_frequency(samples)
        require(
            abs(frequency - 880) < 5 and share > 0.7,
            f"the main frequency of default is {frequency:.1f} Hz, with {share:.0%} of the energy, not 880 Hz")
        yield f"default: main frequency {frequency:.1f} Hz (880), with {share:.0%} of the energy"


@check
def speaker_fade():
    with node_with_speaker() as node:
        values = [sound.loudness(beep) for beep in sound.beeps(record(node, 6, fadeIn=5))]
        # The last one is cut off by the recording's end.
        values.pop()
        require(len(values) >= 20, f"only {len(values)} beeps")
        falls = [f"{before:.0f} to {after:.0f}" for before, after in zip(values, values[1:]) if after < before * 0.99]
        require(not falls, f"the fade falls from {', '.join(falls)}")
        require(values[-1] > 100 * values[0], f"the fade hardly rises: {values}")
        yield f"fadeIn: {len(values)} beeps, none softer than the one before, from {values[0]:.0f} to {values[-1]:.0f} (root mean square)"


@check
def speaker_loop():
    # 300 waves.
    sound.write_sine(f"{bench.directory}/loop.wav", 1000, 0.3)
    with node_with_speaker() as node:
        samples = record(node, 4, sound="loop")
        seconds = len(samples) / sound.RATE
        require(seconds > 3, f"the recording is only {seconds:.1f} s long")
        gap, breaks = sound.faults(samples, 1000)
        require(gap <= 10, f"a gap of {gap:.1f} ms in a looped sound")
        yield f"loop: longest gap {gap:.1f} ms (limit 10), {breaks} breaks of the wave in {int(seconds / 0.3)} passes"
