"""The buzzer's line."""

import subprocess
import time

import watch
from bench import check, judge_time, require, spread, undisturbed
from node import BUZZER, Node


@undisturbed
def ring_and_stop(node, line, seconds=1.0):
    """How late the line was, and how long it sounded on after a stop."""
    due = node.alarm(seconds)
    require(not line.active, "the line is active before the alarm is due")
    began = line.wait(True, seconds + 5, since=due - 0.05)
    lateness = judge_time(line, due, began, 100, "the line became active")
    require(lateness > -5, f"the line became active {-lateness:.0f} ms before the alarm was due")
    stopped = node.request("stop")
    time.sleep(1.5)
    silence = judge_time(line, stopped, line.last_active(stopped), 200, "the line became silent")
    return lateness, silence


@check
def buzzer():
    with watch.line(18) as line, Node({"speaker": False, "buzzer": BUZZER}) as node:
        results = [ring_and_stop(node, line) for _ in range(5)]
        yield "line active after the due instant: " + spread([late for late, _ in results], 100)
        yield "line silent after a stop: " + spread([silence for _, silence in results], 200)


@check
def buzzer_after_sigterm():
    with watch.line(18) as line, Node({"speaker": False, "buzzer": BUZZER}) as node:
        due = node.alarm(1)
        line.wait(True, 5, since=due - 0.05)
        sounding = node.event("sounding", due - 0.05).document
        require(
            [(output["output"], output["ok"]) for output in sounding["outputs"]] == [("buzzer", True)],
            f"sounding does not name the buzzer alone: {sounding}")
        line.wait(True, 5, since=time.monotonic())
        sent = node.terminate()
        time.sleep(1.5)
        silence = judge_time(line, sent, line.last_active(sent), 200, "the line became inactive")
        yield f"line inactive {silence:.0f} ms after SIGTERM (limit 200), and at the end"


@check
def restart():
    # A resistor that pulls the line up: with nobody to hold it, the buzzer sounds.
    watch.pull(18, up=True)
    try:
        with watch.line(18) as line, Node({"speaker": False, "buzzer": BUZZER}) as node:
            require(not line.active, "the line is active although the node runs")
            due = node.alarm(1)
            line.wait(True, 5, since=due - 0.05)
            node.event("sounding", due - 0.05)
            node.kill()
            time.sleep(0.5)
            require(line.active, "the resistor does not pull the line up; the check is worth nothing")
            started = node.start()
            silent = line.wait(False, 5, since=started)
            rings = line.wait(True, 10, since=silent)
            event = node.event("sounding", started)
            require(all(output["ok"] for output in event.document["outputs"]), f"it does not sound: {event}")
            yield f"SIGKILL while ringing: line silent {(silent - started) * 1000:.0f} ms after the start, ringing {(rings - silent) * 1000:.0f} ms later"
            stopped = node.request("stop")
            time.sleep(1.5)
            judge_time(line, stopped, line.last_active(stopped), 200, "the line became silent")
    finally:
        watch.pull(18, up=False)


@check
def fallback():
    for device, why in (("hw:7,0", "no such card"), ("hw:0,0", "busy")):
        # The default card is the same one, which can be taken once.
        holder = subprocess.Popen(["aplay", "-q", "-D", "hw:0,0", "-f", "S16_LE", "-r", "48000", "-c", "2", "/dev/zero"])
        try:
            with watch.loopback_playback() as card:
                if not card.active:
                    card.wait(True, 10)
            with watch.line(18) as line, Node({"speaker": {"device": device}, "buzzer": BUZZER}) as node:

                @undisturbed
                def ring():
                    due = node.alarm(1)
                    began = line.wait(True, 10, since=due - 0.05)
                    lateness = judge_time(line, due, began, 1000, "the buzzer sounded")
                    event = node.event("sounding", due - 0.05).document
                    results = {output["output"]: output["ok"] for output in event["outputs"]}
                    require(
                        results == {"speaker": False, "buzzer": True} and event["fallbacks"][-1:] == ["buzzer"],
                        f"sounding does not tell of the fallback: {event}")
                    node.request("stop")
                    time.sleep(1)
                    return lateness, event["fallbacks"]

                lateness, fallbacks = ring()
                yield f"card refused ({why}): buzzer active {lateness:.0f} ms after the due instant (limit 1000); fallbacks {', '.join(fallbacks)}"
        finally:
            holder.kill()
            holder.wait()
