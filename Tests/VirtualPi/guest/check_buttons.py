"""The buttons' lines."""

import time

import bench
import mqtt
import watch
from bench import check, judge_time, require, spread, undisturbed
from node import BUZZER, PORT, Node

BUTTON = {"chip": "pinctrl-bcm2711", "line": 27}
IDLE = "judge/idle"


def bounce(edges):
    """Moves the contact that often within about 12 ms, as one does that closes or opens. Answers how long it took in milliseconds."""
    began = time.monotonic()
    for edge in range(edges):
        watch.pull(27, up=edge % 2 == 1)
        # Too short for sleep.
        while time.monotonic() < began + (edge + 1) * 0.0006:
            pass
    return (time.monotonic() - began) * 1000


def press(seconds, bounces=0):
    """A button going down and up, each time with some bouncing. Answers when it went down, and how long it bounced in milliseconds."""
    down = time.monotonic()
    bounced = bounce(bounces)
    watch.pull(27, up=False)
    time.sleep(seconds)
    bounced = max(bounced, bounce(bounces))
    watch.pull(27, up=True)
    return down, bounced


def node_with_button():
    watch.pull(27, up=True)
    return Node(
        {"speaker": False, "buzzer": BUZZER},
        buttons=[{**BUTTON, "press": "snooze", "hold": "stop", "idle": {"topic": IDLE, "payload": "pressed"}}])


def ring(node, line, snooze=3):
    due = node.alarm(1, countdown={"postAlert": snooze})
    return line.wait(True, 5, since=due - 0.05)


@undisturbed
def silence_at_once(node, line, seconds):
    """Presses while the line is active, and answers how long it still sounded; it must be silent before anything is decided."""
    began = ring(node, line)
    down, _ = press(seconds)
    silence = judge_time(line, down, line.last_active(down), 100, "the line became silent")
    require(down - began < 0.15, "the button was not pressed within the first beep")
    return down, silence


@check
def button_press():
    with watch.line(18) as line, node_with_button() as node:
        silences = []
        for _ in range(3):
            down, silence = silence_at_once(node, line, 0.4)
            silences.append(silence)
            snoozed = node.event("snoozed", down)
            require(snoozed.document["by"] == "button", f"not by button: {snoozed}")
            again = line.wait(True, 10, since=down + 0.3)
            require(2.5 < again - down < 5, f"rings again {again - down:.1f} s after a press that snoozes for 3 s")
            node.request("stop")
            time.sleep(1)
        yield f"button down while ringing: silent after {spread(silences, 100)}, then snoozed, ringing again after {again - down:.2f} s"


@check
def button_hold():
    with watch.line(18) as line, node_with_button() as node:
        down, silence = silence_at_once(node, line, 1.4)
        stopped = node.event("stopped", down)
        require(stopped.document["by"] == "button", f"not by button: {stopped}")
        taken = (stopped.at - down) * 1000
        require(950 < taken < 1400, f"stopped {taken:.0f} ms after the button went down")
        time.sleep(4)
        require(line.last_active(down + 0.2) == down + 0.2, "it rings again after a hold")
        require(not node.events("snoozed", down), "a hold has snoozed, too")
        yield f"button held: silent after {silence:.0f} ms (limit 100), stopped after {taken:.0f} ms, silent from then on"


@check
def button_bounce():
    with watch.line(18) as line, node_with_button() as node:
        node.client.messages.clear()
        idle = mqtt.Client(PORT, IDLE)
        counts = []
        for _ in range(5):
            since = time.monotonic()
            _, bounced = press(0.2, bounces=20)
            require(bounced < 15, f"20 edges took {bounced:.1f} ms")
            idle.wait(lambda message: True, 5, since)
            time.sleep(0.5)
            counts.append(len(idle.all(lambda message: True, since)))
        require(counts == [1] * 5, f"five bouncing presses were {counts} presses")
        yield f"five bouncing presses (20 edges in {bounced:.1f} ms): one press each"

        ring(node, line)
        down, bounced = press(0.2, bounces=20)
        node.event("snoozed", down)
        time.sleep(1)
        require(len(node.events("snoozed", down)) == 1 and not idle.all(lambda message: True, down), "a bouncing press was more than a snooze")
        idle.close()
        yield f"a bouncing press while ringing ({bounced:.1f} ms): one snooze and nothing else"


@check
def button_without_broker():
    with watch.line(18) as line, node_with_button() as node:
        ring(node, line)
        bench.broker.stop()
        try:
            line.wait(True, 5, since=time.monotonic())
            down, _ = press(0.3)
            silence = judge_time(line, down, line.last_active(down), 100, "the line became silent")
            again = line.wait(True, 10, since=down + 0.5)
            require(2.5 < again - down < 5, f"rings again {again - down:.1f} s after a press that snoozes for 3 s")
            held, _ = press(1.4)
            judge_time(line, held, line.last_active(held), 100, "the line became silent")
            time.sleep(4)
            require(line.last_active(held + 0.2) == held + 0.2, "it rings again after a hold")
            yield f"broker down: silent {silence:.0f} ms after a press (limit 100), ringing again after {again - down:.2f} s; a hold ends it"
        finally:
            bench.broker.start()
