"""The real things that are checked together: a broker, the node, Home Assistant, and a listener on the broker."""
import json
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.error

import onboard
from hass import HomeAssistant, request

HERE = pathlib.Path(__file__).parent
PATIENCE = float(os.environ.get("REVEILLE_PATIENCE", "60"))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class World:
    """Everything in one temporary directory. `condition` is notified whenever anything is heard."""

    def __init__(self, program, old=False):
        self.program, self.old = program, old
        self.temporary = tempfile.TemporaryDirectory(prefix="reveille-ha-")
        self.directory = pathlib.Path(self.temporary.name)
        self.condition = threading.Condition()
        self.mqtt_port, self.port = free_port(), free_port()
        # The broker's retained messages as far as heard, and all live ones in order.
        self.retained, self.messages = {}, []
        self.processes = {}
        self.hass = None
        self._log_mark = 0
        self._prepare()

    def _prepare(self):
        for name in ("broker", "sounds", "config"):
            (self.directory / name).mkdir()
        self.write("mosquitto.conf", f"listener {self.mqtt_port} 127.0.0.1\nallow_anonymous true\npersistence true\n"
                   f"persistence_location {self.directory}/broker/\nuser root\n")
        # A card that takes sound at the pace of a real one, and throws it away.
        self.write("pace.py", "import sys, time\nstart, taken = time.monotonic(), 0\nwhile data := sys.stdin.buffer.read(19200):\n"
                   "    start = max(start, time.monotonic() - taken / 192000 - 1)\n    taken += len(data)\n"
                   "    time.sleep(max(start + taken / 192000 - time.monotonic(), 0))\n")
        self.write("asound.conf", "</usr/share/alsa/alsa.conf>\npcm.!default { type plug slave { format S16_LE rate 48000 channels 2 "
                   'pcm { type file format raw slave.pcm "null" file '
                   f'"|exec python3 {self.directory}/pace.py" }} }} }}\n')
        self.configure_node()

    def write(self, name, text):
        (self.directory / name).write_text(text)

    def configure_node(self, buttons=(), **home_assistant):
        options = {"discovery": True, **home_assistant}
        self.write("reveille.yaml", json.dumps({
            "node": "bedroom", "time_zone": "Europe/Berlin", "state_directory": f"{self.directory}/state",
            "sounds_directory": f"{self.directory}/sounds", "mqtt": {"host": "127.0.0.1", "port": self.mqtt_port},
            "home_assistant": options, "buttons": list(buttons),
        }))

    # MARK: Processes

    def start(self, name):
        getattr(self, f"_start_{name}")()

    def _spawn(self, name, *command, **environment):
        with open(self.directory / f"{name}.log", "ab") as log:
            self.processes[name] = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, env={**os.environ, **environment})

    def stop(self, name):
        process = self.processes.pop(name, None)
        if name == "home_assistant" and self.hass:
            self.hass.disconnect()
        if not process:
            return
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise AssertionError(f"{name} does not end") from None

    def close(self):
        for name in list(self.processes):
            try:
                self.stop(name)
            except AssertionError as error:
                print(error)
        self.temporary.cleanup()

    def _start_broker(self):
        self._spawn("broker", "mosquitto", "-c", f"{self.directory}/mosquitto.conf", PATH=os.environ["PATH"] + ":/usr/sbin")
        deadline = time.monotonic() + PATIENCE
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.mqtt_port)) == 0:
                    break
            assert time.monotonic() < deadline, "the broker does not listen"
            time.sleep(0.05)
        self._listen()

    def _listen(self):
        """Hears everything; a new listener for a new broker, so that what it retains is heard anew."""
        process = subprocess.Popen(
            ["mosquitto_sub", "-p", str(self.mqtt_port), "-V", "5", "-q", "1", "-t", "reveille/#", "-t", "homeassistant/#", "-F", "%r %t %p"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.processes["listener"] = process

        def read():
            for line in process.stdout:
                retained, topic, payload = (line.rstrip("\n").split(" ", 2) + [""])[:3]
                with self.condition:
                    self.messages.append((topic, payload))
                    # Live messages carry no retain flag; these topics are never retained.
                    if retained == "1" or not any(part in topic for part in ("/event", "/response/", "/request/", "/activity", "/remaining",
                                                                             "/set", "/status", "/button/")) or "/setting/" in topic:
                        if payload:
                            self.retained[topic] = payload
                        else:
                            self.retained.pop(topic, None)
                    self.condition.notify_all()

        threading.Thread(target=read, daemon=True).start()

    def _start_node(self):
        self._spawn("node", self.program, "run", "--config", f"{self.directory}/reveille.yaml",
                    ALSA_CONFIG_PATH=f"{self.directory}/asound.conf")

    def _start_home_assistant(self):
        self._spawn("home_assistant", str(HERE / "start"), *(["--old"] if self.old else []), f"{self.directory}/config", str(self.port))
        path = "/api/" if self.hass else "/api/onboarding"
        token = self.hass and self.hass.token
        deadline = time.monotonic() + 4 * PATIENCE
        while True:
            try:
                request(self.port, path, token=token)
                break
            except (OSError, urllib.error.URLError, RuntimeError):
                assert self.processes["home_assistant"].poll() is None, "Home Assistant has ended"
                assert time.monotonic() < deadline, "Home Assistant does not answer"
                time.sleep(0.5)
        if not self.hass:
            self.hass = HomeAssistant(self.port, onboard.onboard(self.port, self.mqtt_port, self.old), self.condition)
            if not self.old:
                onboard.flow(self.port, self.hass.token, "local_calendar", {"calendar_name": "Holidays", "import": "create_empty"})
        self.hass.connect()

    # MARK: Asking and waiting

    def publish(self, topic, payload="{}", base="reveille/bedroom/", retain=False):
        text = payload if isinstance(payload, str) else json.dumps(payload)
        subprocess.run(["mosquitto_pub", "-p", str(self.mqtt_port), "-q", "1", "-t", base + topic, "-m", text, *(["-r"] if retain else [])],
                       check=True)

    def ask(self, operation, **body):
        """A request to the node; answers the reply's data."""
        mark = len(self.messages)
        body["transaction"] = os.urandom(8).hex()
        self.publish(f"request/{operation}", body)
        found = []

        def answered():
            for topic, payload in self.messages[mark:]:
                if topic == f"reveille/bedroom/response/{operation}" and body["transaction"] in payload:
                    found.append(json.loads(payload))
                    return True
            return False

        self.until(f"the reply to {operation}", answered)
        assert found[0]["status"] == "ok", found[0]
        return found[0]["data"]

    def until(self, what, predicate, patience=None):
        """Waits until something heard makes the predicate true."""
        with self.condition:
            if self.condition.wait_for(lambda: _true(predicate), patience or PATIENCE):
                return
        raise AssertionError(f"waited in vain for: {what}")

    def until_state(self, entity, state, patience=None):
        try:
            self.until(f"{entity} = {state}", lambda: self.hass.state(entity) == state, patience)
        except AssertionError:
            raise AssertionError(f"{entity} is {self.hass.state(entity)!r}, not {state!r}") from None

    def node(self, topic):
        """A retained document of the node."""
        payload = self.retained.get(f"reveille/bedroom/{topic}")
        return json.loads(payload) if payload and payload[0] in "{[" else payload

    def until_heard(self, topic, predicate, mark, what=None):
        self.until(what or topic, lambda: any(
            name == f"reveille/bedroom/{topic}" and predicate(payload) for name, payload in self.messages[mark:]))

    # MARK: Home Assistant's log

    def loud_lines(self, allowed=()):
        """The warnings and errors since the last time, but for those that contain an allowed text."""
        text = (self.directory / "home_assistant.log").read_text(errors="replace")
        lines = text[self._log_mark:].splitlines()
        self._log_mark = len(text)
        return [line for line in lines if (" WARNING " in line or " ERROR " in line or "Error" in line)
                and not any(word in line for word in allowed)]


def _true(predicate):
    """Documents that are not there yet count as not so."""
    try:
        return predicate()
    except (KeyError, TypeError, IndexError):
        return False
