"""The light's line."""

import time

import watch
from bench import check, judge_time, require
from node import BUZZER, Node

LIGHT = {"chip": "pinctrl-bcm2711", "line": 23}


@check(feature="light")
def light():
    for countdown in ("off", "on"):
        outputs = {"speaker": False, "buzzer": BUZZER, "light": {**LIGHT, "alerting": "on", "countdown": countdown}}
        with watch.line(23) as lamp, Node(outputs) as node:
            require(not lamp.active, "the light is on although nothing happens")
            sent = node.request("schedule", id="timer", duration=2)
            due = node.event("started", sent).document
            alerting = node.event("alerting", sent, 10).at
            began = lamp.wait(True, 5, since=sent)
            if countdown == "on":
                first = judge_time(lamp, sent, began, 500, "the light went on for the countdown")
                require(lamp.active, f"the light does not stay on: {due}")
            else:
                first = judge_time(lamp, alerting, began, 100, "the light went on")
            stopped = node.request("stop")
            time.sleep(1)
            last = judge_time(lamp, stopped, lamp.last_active(stopped), 200, "the light went off")
            yield f"light (countdown: {countdown}): on {first:.0f} ms after its time, off {last:.0f} ms after a stop (limit 200)"
    outputs["light"] = {**LIGHT, "alerting": "blink"}
    with watch.line(23) as lamp, Node(outputs) as node:
        due = node.alarm(1)
        lamp.wait(True, 5, since=due - 0.05)
        time.sleep(3)
        edges = [at for at, _ in lamp.edges if at >= due - 0.05]
        require(4 <= len(edges) <= 60, f"{len(edges)} changes in 3 s are no blinking")
        sent = node.terminate()
        time.sleep(0.5)
        last = judge_time(lamp, sent, lamp.last_active(sent), 200, "the light went off")
        yield f"light (blink): {len(edges)} changes in 3 s; off {last:.0f} ms after SIGTERM (limit 200)"
