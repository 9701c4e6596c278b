"""The light's line."""

import time

import watch
from bench import check, judge_time, require, undisturbed
from node import BUZZER, Node


def node_with_light(**light):
    return Node({"speaker": False, "buzzer": BUZZER, "light": {"chip": "pinctrl-bcm2711", "line": 23, **light}})


@undisturbed
def ring_and_stop(node, lamp):
    """How late the light was, and how long it stayed on after a stop."""
    due = node.alarm(1)
    require(not lamp.active, "the light is on although nothing happens")
    lateness = judge_time(lamp, due, lamp.wait(True, 5, since=due - 0.05), 100, "the light went on")
    time.sleep(0.8)
    require(lamp.active, "the light does not stay on")
    stopped = node.request("stop")
    time.sleep(0.8)
    return lateness, judge_time(lamp, stopped, lamp.last_active(stopped), 200, "the light went off")


@check
def light():
    with watch.line(23) as lamp, node_with_light(alerting="on") as node:
        lateness, last = ring_and_stop(node, lamp)
        yield f"light: on {lateness:.0f} ms after the due instant (limit 100), off {last:.0f} ms after a stop (limit 200)"

    with watch.line(23) as lamp, node_with_light(alerting="blink") as node:
        due = node.alarm(1)
        lamp.wait(True, 5, since=due - 0.05)
        time.sleep(3)
        edges = len([at for at, _ in lamp.edges if at >= due - 0.05])
        require(4 <= edges <= 60, f"{edges} changes in 3 s are no blinking")
        lamp.wait(True, 5, since=time.monotonic())
        sent = node.terminate()
        time.sleep(0.8)
        last = judge_time(lamp, sent, lamp.last_active(sent), 200, "the light went off")
        yield f"light that blinks: {edges} changes in 3 s, off {last:.0f} ms after SIGTERM (limit 200)"

    with watch.line(23) as lamp, node_with_light(alerting="on", countdown="on") as node:
        sent = node.request("schedule", id="timer", duration=10)
        first = judge_time(lamp, sent, lamp.wait(True, 5, since=sent), 500, "the light went on")
        time.sleep(1)
        require(lamp.active, "the light does not stay on")
        stopped = node.request("stop", id="timer")
        time.sleep(0.8)
        last = judge_time(lamp, stopped, lamp.last_active(stopped), 500, "the light went off")
        yield f"light of a countdown: on {first:.0f} ms after the request, off {last:.0f} ms after a stop (limit 500)"
