"""A mosquitto and a node of their own for a measurement."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

BASE = "reveille/bench"


def arguments(seconds):
    """The program and the seconds from the command line."""
    words = sys.argv[1:]
    if len(words) > 2 or any(word.startswith("-") for word in words):
        sys.exit(sys.modules["__main__"].__doc__)
    program = words[0] if words else ".build/release/reveille"
    if not os.access(program, os.X_OK):
        sys.exit(f"{program} is no program; build it with: swift build -c release")
    return program, float(words[1]) if len(words) > 1 else seconds


class Bench:
    def __init__(self, program):
        self.program = program
        self.started = []

    def __enter__(self):
        self.directory = tempfile.mkdtemp(prefix="reveille-bench-")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.write("mosquitto.conf", f"listener {self.port} 127.0.0.1\nallow_anonymous true\n")
        # What is played goes nowhere.
        self.write("asound.conf", '</usr/share/alsa/alsa.conf>\npcm.!default { type null }\n')
        os.mkdir(f"{self.directory}/sounds")
        self.write(
            "reveille.yaml",
            f"node: bench\nstate_directory: {self.directory}/state\nsounds_directory: {self.directory}/sounds\n"
            f"mqtt: {{host: 127.0.0.1, port: {self.port}}}\noutputs: {{speaker: {{device: default}}}}\n",
        )
        path = os.environ["PATH"] + ":/usr/sbin"
        self.start(["mosquitto", "-c", f"{self.directory}/mosquitto.conf"], {**os.environ, "PATH": path}, "mosquitto.log")
        self.wait_for_port()
        with self.subscribe("availability", "%p") as listener:
            self.node = self.start(
                [self.program, "run", "--config", f"{self.directory}/reveille.yaml"],
                {**os.environ, "ALSA_CONFIG_PATH": f"{self.directory}/asound.conf"},
                "reveille.log",
            )
            for line in listener.stdout:
                if line.strip() == "online":
                    return self
        sys.exit("the node did not come online")

    def __exit__(self, *_):
        for process in reversed(self.started):
            process.terminate()
            process.wait()
        shutil.rmtree(self.directory)

    def write(self, name, text):
        with open(f"{self.directory}/{name}", "w") as file:
            file.write(text)

    def start(self, command, environment, log):
        with open(f"{self.directory}/{log}", "w") as file:
            self.started.append(subprocess.Popen(command, env=environment, stdout=file, stderr=file))
        return self.started[-1]

    def wait_for_port(self):
        for _ in range(500):
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except ConnectionRefusedError:
                time.sleep(0.02)
        sys.exit("mosquitto does not listen")

    def subscribe(self, topic, form):
        """A running mosquitto_sub on one of the node's topics; leaving its `with` ends it."""
        command = ["mosquitto_sub", "-h", "127.0.0.1", "-p", str(self.port), "-t", f"{BASE}/{topic}", "-F", form]
        return Listener(command)

    def publish(self, topic, payload):
        command = ["mosquitto_pub", "-h", "127.0.0.1", "-p", str(self.port), "-q", "1", "-t", f"{BASE}/{topic}", "-m", payload]
        subprocess.run(command, check=True)


class Listener:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.stdout = self.process.stdout

    def __enter__(self):
        # The retained availability is there as soon as it has subscribed; other topics need a moment.
        time.sleep(0.3)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
