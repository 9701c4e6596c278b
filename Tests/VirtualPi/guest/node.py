"""The program that is tested, and its broker, as processes."""

import datetime
import itertools
import json
import os
import signal
import socket
import subprocess
import time

import bench
import mqtt

PORT = 1883
BASE = "reveille/pi"
BUZZER = {"chip": "pinctrl-bcm2711", "line": 18}
_numbers = itertools.count(1)


def spawn(arguments, log):
    return subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)


class Broker:
    def __init__(self, directory):
        self._log = open(f"{directory}/mosquitto.log", "ab")
        self._configuration = f"{directory}/mosquitto.conf"
        with open(self._configuration, "w") as file:
            file.write(f"listener {PORT} 127.0.0.1\nallow_anonymous true\npersistence false\nuser root\nset_tcp_nodelay true\n")
        self.start()

    def start(self):
        self._process = spawn(["mosquitto", "-c", self._configuration], self._log)
        deadline = time.monotonic() + 10
        while True:
            try:
                return socket.create_connection(("127.0.0.1", PORT)).close()
            except ConnectionRefusedError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def stop(self):
        self._process.kill()
        self._process.wait()


class Node:
    """A node with a state directory of its own, and a session that hears all it says."""

    def __init__(self, outputs, sounds=None, **configuration):
        self.directory = f"{bench.directory}/node-{next(_numbers)}"
        os.mkdir(self.directory)
        self._configuration = f"{self.directory}/reveille.yaml"
        # JSON is YAML.
        with open(self._configuration, "w") as file:
            json.dump(
                {
                    "node": "pi", "state_directory": f"{self.directory}/state", "sounds_directory": sounds or self.directory,
                    "mqtt": {"port": PORT}, "outputs": outputs, "home_assistant": {"discovery": False}, **configuration,
                }, file)
        self.client = None
        self.process = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, kind, error, _):
        if self.process.poll() is None:
            self.kill()
        self.client.close()
        if error:
            with open(f"{self.directory}/log", errors="replace") as file:
                print("the node's log:\n" + "".join(file.readlines()[-15:]), flush=True)

    def start(self):
        """Answers when the process was made; returns when it is online."""
        if self.client:
            self.client.close()
        self.client = mqtt.Client(PORT, f"{BASE}/#")
        since = time.monotonic()
        with open(f"{self.directory}/log", "ab") as log:
            self.process = spawn([f"{bench.binary}/reveille", "run", "--config", self._configuration], log)
        self.client.wait(lambda message: message.topic == f"{BASE}/availability" and message.text == "online", 30, since)
        return since

    def kill(self):
        self.process.kill()
        self.process.wait()

    def terminate(self):
        """Answers when the signal was sent; returns when the process has ended."""
        sent = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        if self.process.wait(10) != 0:
            raise AssertionError(f"exit status {self.process.returncode} after SIGTERM")
        return sent

    def request(self, operation, **keys):
        """Answers when it was sent."""
        return self.client.publish(f"{BASE}/request/{operation}", json.dumps(keys))

    def alarm(self, seconds, **keys):
        """Sets a one-time alarm; answers when it is due (monotonic seconds)."""
        due = round(time.time() + seconds, 3)
        at = datetime.datetime.fromtimestamp(due, datetime.timezone.utc).isoformat(timespec="milliseconds")
        offset = time.monotonic() - time.time()
        sent = self.request("schedule", id="alarm", schedule={"at": at}, **keys)
        reply = self.client.wait(lambda message: message.topic == f"{BASE}/response/schedule", 5, sent)
        if reply.document["status"] != "ok":
            raise AssertionError(f"the alarm is refused: {reply}")
        return due + offset

    def event(self, kind, since, seconds=5):
        return self.client.wait(self._is(kind), seconds, since)

    def events(self, kind, since):
        return self.client.all(self._is(kind), since)

    @staticmethod
    def _is(kind):
        return lambda message: message.topic == f"{BASE}/event" and message.document["event_type"] == kind
