#!/usr/bin/env python3
"""The installed package as a service, under systemd: one stage of Tests/VirtualPi/run-package, in this machine.

A stage prints what it measured; where it prints CUT the driver takes the power away.
"""

import ctypes
import datetime
import json
import os
import subprocess
import sys
import threading
import time

import mqtt
import watch
from bench import require

BASE = "reveille/pi"
PACKAGE = "/vpi/reveille.deb"


def run(*command, check=True):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    require(not check or done.returncode == 0, f"{' '.join(command)}: {done.stdout}{done.stderr}")
    return done.stdout.strip()


def show(name):
    return run("systemctl", "show", "-P", name, "reveille")


def uptime():
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def ok(text):
    print(f"  ok    {text}", flush=True)


def until(condition, seconds, what):
    deadline = time.monotonic() + seconds
    while not condition():
        require(time.monotonic() < deadline, f"not within {seconds} s: {what}")
        time.sleep(0.1)


class Session:
    """What the node says, and a word to it."""

    def __init__(self):
        self.client = mqtt.Client(1883, f"{BASE}/#")
        self.wait("availability", lambda message: message.text == "online", 60)

    def wait(self, topic, wanted=lambda message: True, seconds=10, since=0):
        return self.client.wait(lambda message: message.topic == f"{BASE}/{topic}" and wanted(message), seconds, since)

    def request(self, operation, **keys):
        # The reply may be here before this thread goes on.
        since = time.monotonic()
        self.client.publish(f"{BASE}/request/{operation}", json.dumps(keys))
        reply = self.wait(f"response/{operation}", since=since).document
        require(reply["status"] == "ok", f"{operation} is refused: {reply}")
        return reply["data"]

    def event(self, kind, seconds=10, since=0):
        return self.wait("event", lambda message: message.document["event_type"] == kind, seconds, since).document


def press():
    down = time.monotonic()
    watch.pull(27, up=False)
    time.sleep(1.3)
    watch.pull(27, up=True)
    return down


def silence(session, line):
    """Holds the button: it silences and stops."""
    down = press()
    session.event("stopped", since=down)
    return (line.last_active(down) - down) * 1000


def hold_thread(thread):
    """Stops one thread of a process and no other, until something kills it."""
    libc = ctypes.CDLL(None, use_errno=True)
    for request in (0x4206, 0x4207):  # PTRACE_SEIZE, PTRACE_INTERRUPT
        require(libc.ptrace(request, thread, None, None) == 0, f"ptrace: {os.strerror(ctypes.get_errno())}")

    def reap():
        # Its end is told to this process first.
        while os.WIFSTOPPED(os.waitpid(thread, 0x40000000)[1]):  # __WALL
            pass

    threading.Thread(target=reap, daemon=True).start()


def life():
    """Starting, ringing, reloading, hanging, upgrading, stopping, removing."""
    watch.pull(27, up=True)
    require(show("ActiveState") == "active", "the service is not active: " + run("systemctl", "status", "reveille", check=False))
    started, ready = (int(show(name)) for name in ("ExecMainStartTimestampMonotonic", "ActiveEnterTimestampMonotonic"))
    ok(f"started at boot, ready {(ready - started) / 1000:.0f} ms after its start, {ready / 1e6:.1f} s after the kernel's")
    exposure = run("systemd-analyze", "security", "--no-pager", "reveille").splitlines()[-1]
    score = float(exposure.split(": ")[1].split()[0])
    require(score <= 2.0, exposure)
    ok(f"systemd-analyze security: {score}")
    session = Session()
    with watch.line(18) as line:
        session.request("schedule", id="egg", duration=2)
        line.wait(True, 10)
        ok(f"an alarm rings on the line; a held button silences it within {silence(session, line):.0f} ms")

        # A bad file, then a good one, while it rings.
        with open("/etc/reveille/reveille.yaml") as file:
            good = file.read()
        with open("/etc/reveille/reveille.yaml", "w") as file:
            file.write(good + "colour: red\n")
        since = time.monotonic()
        run("systemctl", "reload", "reveille")
        session.wait("health", lambda message: "configuration_wrong" in message.text, since=since)
        with open("/etc/reveille/reveille.yaml", "w") as file:
            file.write(good)
        until(lambda: show("ActiveState") == "active", 10, "active again after a reload with a wrong file")
        session.request("schedule", id="egg", duration=1)
        process = show("MainPID")
        line.wait(True, 10, since=time.monotonic())
        since = time.monotonic()
        run("systemctl", "reload", "reveille")
        session.wait("availability", lambda message: message.text == "online", 10, since)
        again = line.wait(True, 10, since=session.wait("availability", lambda message: message.text == "offline", 10, since).at)
        require(show("MainPID") == process and show("NRestarts") == "0", "the reload was no reload")
        ok(f"reload: a wrong file is told in health; with a good one it starts anew and rings again after {again - since:.2f} s")

        hold_thread(int(show("MainPID")))
        held = time.monotonic()
        until(lambda: show("NRestarts") == "1", 40, "a restart by the watchdog")
        require(show("MainPID") != process, "it is the same process")
        dead = session.wait("availability", lambda message: message.text == "offline", 5, held).at
        again = line.wait(True, 15, since=dead)
        ok(f"the engine's thread held: the watchdog ends it after {dead - held:.1f} s, and it rings again {again - dead:.1f} s later")
        session.wait("availability", lambda message: message.text == "online", 15, dead)
        silence(session, line)

        before = session.request("schedule", id="rice", duration=25)
        since = time.monotonic()
        run("dpkg", "--force-confold", "-i", PACKAGE)
        taken = time.monotonic() - since
        session.wait("availability", lambda message: message.text == "online", 20, since)
        after = session.request("get", id="rice")
        require(after["fireDate"] == before["fireDate"] and after["state"] in ("countdown", "alerting"), f"after the upgrade: {after}")
        alerting = session.event("alerting", 30, since)
        ok(f"an upgrade during a countdown, in {taken:.1f} s: it rings at its time, {alerting['lateness']} s late")

        until(lambda: line.active, 10, "ringing")
        stopped = time.monotonic()
        run("systemctl", "stop", "reveille")
        ended = time.monotonic()
        offline = session.wait("availability", lambda message: message.text == "offline", 5, stopped)
        silent = line.last_active(stopped)
        require(not line.active and ended - stopped < 1 and offline.at - stopped < 1, f"stopped only after {ended - stopped:.2f} s")
        ok(f"SIGTERM while ringing: line inactive {(silent - stopped) * 1000:.0f} ms, offline {(offline.at - stopped) * 1000:.0f} ms, "
           f"ended {(ended - stopped) * 1000:.0f} ms after systemctl stop began (limit 1000)")
    entries = [json.loads(entry) for entry in run("journalctl", "-o", "json", "-u", "reveille", "_COMM=reveille").splitlines()]
    levels = {entry["PRIORITY"] for entry in entries}
    require({"3", "5", "6"} <= levels and all("\n" not in entry["MESSAGE"] for entry in entries), f"levels {levels}")
    ok(f"{len(entries)} lines in the journal, with levels {', '.join(sorted(levels))}")
    removal()


def removal():
    run("systemctl", "start", "reveille")
    run("dpkg", "-r", "reveille")
    require(not os.path.exists("/usr/bin/reveille") and os.path.exists("/etc/reveille/reveille.yaml"), "removed wrongly")
    require(os.path.exists("/var/lib/reveille/reveille.db"), "the alarms are gone with the program")
    require(show("MainPID") == "0", "it still runs")
    with open("/etc/reveille/password", "w") as file:
        file.write("secret")
    # What is mounted there is the test's.
    run("umount", "/var/lib/reveille")
    run("dpkg", "-P", "reveille")
    rest = [path for path in ("/etc/reveille", "/var/lib/reveille", "/usr/lib/reveille", "/usr/share/reveille") if os.path.exists(path)]
    require(not rest, f"left behind by purge: {rest}")
    ok("remove keeps the configuration and the alarms; purge leaves nothing")


def countdown():
    Session().request("schedule", id="egg", duration=50)
    ok(f"a timer of 50 s is set at {datetime.datetime.now():%H:%M:%S}")
    print("CUT", flush=True)
    time.sleep(60)


def after_countdown():
    """Started before the timer's end: it rings in time; and the power goes again."""
    with watch.line(18) as line:
        session = Session()
        require(not line.active, "it rings too early")
        alerting = session.event("alerting", 90)
        line.wait(True, 5)
        require(alerting["lateness"] < 1, f"late: {alerting}")
        ok(f"power cut during a countdown: it rings at {datetime.datetime.now():%H:%M:%S}, {alerting['lateness']} s late")
    print("CUT", flush=True)
    time.sleep(60)


def after_ringing():
    watch.pull(27, up=True)
    with watch.line(18) as line:
        session = Session()
        line.wait(True, 10)
        started = int(show("ExecMainStartTimestampMonotonic")) / 1e6
        journal = [json.loads(entry) for entry in run("journalctl", "-o", "json", "-u", "reveille", "_COMM=reveille").splitlines()]
        rang = next(entry for entry in journal if '"event_type":"alerting"' in entry["MESSAGE"] or '"alerting"' in entry["MESSAGE"])
        at = int(rang["__MONOTONIC_TIMESTAMP"]) / 1e6
        ok(f"power cut while ringing: it rings again {at:.1f} s after the kernel's start, {(at - started) * 1000:.0f} ms after its own")
        silence(session, line)
    at = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=10)).isoformat(timespec="seconds")
    session.request("schedule", id="wake", schedule={"at": at})
    with open("/disk/due", "w") as file:
        file.write(at)
        file.flush()
        os.fsync(file.fileno())
    ok(f"an alarm is set for {at}")
    print("CUT", flush=True)
    time.sleep(60)


def wrong_clock():
    watch.pull(27, up=True)
    with open("/disk/due") as file:
        due = datetime.datetime.fromisoformat(file.read())
    with watch.line(18) as line:
        session = Session()
        health = session.wait("health").document
        require(health["clock"]["trust"] == "untrusted", f"it trusts a clock that is wrong: {health}")
        require(not line.active, "it rings by a wrong clock")
        ok(f"booted with the clock at {datetime.datetime.now():%Y-%m-%d}: the node does not trust it, and nothing rings")
        since = time.monotonic()
        run("date", "-s", f"@{int(due.timestamp()) + 30}")
        os.makedirs("/run/systemd/timesync", exist_ok=True)
        open("/run/systemd/timesync/synchronized", "w").close()
        alerting = session.event("alerting", 70, since)
        at = line.wait(True, 5, since=since)
        require(25 < alerting["lateness"] < 100, f"{alerting}")
        ok(f"the clock set right, 30 s after the alarm's time: it rings {at - since:.1f} s later, lateness {alerting['lateness']} s")


if __name__ == "__main__":
    try:
        {"life": life, "countdown": countdown, "after-countdown": after_countdown, "after-ringing": after_ringing,
         "wrong-clock": wrong_clock}[sys.argv[1]]()
    except (AssertionError, TimeoutError) as error:
        print(f"  FAIL  {sys.argv[1]}: {error}", flush=True)
        print(run("journalctl", "--no-pager", "-n", "25", "-u", "reveille", check=False), flush=True)
        raise SystemExit(1)
