"""Home Assistant's REST and WebSocket interfaces, with nothing but Python's standard library."""
import base64
import json
import os
import socket
import struct
import threading
import urllib.error
import urllib.request


def request(port, path, body=None, token=None, form=None, method=None):
    """Answers the JSON of one HTTP request; a body makes it a POST, unless there is another method."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    data = None
    if form is not None:
        data = "&".join(f"{key}={urllib.request.quote(value, safe='')}" for key, value in form.items()).encode()
    elif body is not None:
        data = json.dumps(body).encode()
        headers["Content-Type"] = "application/json"
    call = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data=data, headers=headers, method=method)
    try:
        with urllib.request.urlopen(call, timeout=30) as reply:
            return json.loads(reply.read() or b"null")
    except urllib.error.HTTPError as error:
        raise RuntimeError(f"{path}: {error.code} {error.read().decode(errors='replace')}") from error


class WebSocket:
    """A client's side of RFC 6455, as far as Home Assistant needs it: text frames, pings, one reader."""

    def __init__(self, port, token):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET /api/websocket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.stream = self.socket.makefile("rb")
        assert b" 101 " in self.stream.readline()
        while self.stream.readline() not in (b"\r\n", b""):
            pass
        self.socket.settimeout(None)
        self.lock = threading.Lock()
        self.receive()
        self.send({"type": "auth", "access_token": token})
        answer = self.receive()
        assert answer["type"] == "auth_ok", answer

    def send(self, message, opcode=1):
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        mask = os.urandom(4)
        length = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
        assert len(data) < 65_536
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(data))
        with self.lock:
            self.socket.sendall(bytes([0x80 | opcode]) + length + mask + masked)

    def receive(self):
        """The next message, or None at the end."""
        text = b""
        while True:
            head = self.stream.read(2)
            if len(head) < 2:
                return None
            length = head[1] & 0x7F
            if length == 126:
                length = struct.unpack(">H", self.stream.read(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self.stream.read(8))[0]
            data = self.stream.read(length)
            opcode = head[0] & 0x0F
            if opcode == 8:
                return None
            if opcode == 9:
                self.send(data, opcode=10)
            elif opcode in (0, 1):
                text += data
                if head[0] & 0x80:
                    return json.loads(text)

    def close(self):
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.socket.close()


class HomeAssistant:
    """A running Home Assistant: its states are followed, `condition` is notified at each change."""

    def __init__(self, port, token, condition=None):
        self.port, self.token = port, token
        self.condition = condition or threading.Condition()
        self.states = {}
        # Every state that was written, in order: (entity, state object).
        self.history = []
        self.events = []
        self._results = {}
        self._next = 0
        self._socket = None

    def connect(self):
        self._socket = WebSocket(self.port, self.token)
        threading.Thread(target=self._read, args=(self._socket,), daemon=True).start()
        self.command("subscribe_events", event_type="state_changed")
        self.command("subscribe_events", event_type="automation_triggered")
        states = {state["entity_id"]: state for state in self.command("get_states")}
        with self.condition:
            # A change that came meanwhile is newer.
            self.states = {**states, **self.states}
            self.condition.notify_all()

    def disconnect(self):
        if self._socket:
            self._socket.close()
            self._socket = None
        with self.condition:
            self.states = {}

    def _read(self, connection):
        try:
            while (message := connection.receive()) is not None:
                with self.condition:
                    if self._socket is not connection:
                        return
                    if message["type"] == "event":
                        self._take(message["event"])
                    elif message["type"] == "result":
                        self._results[message["id"]] = message
                    self.condition.notify_all()
        except OSError:
            pass

    def _take(self, event):
        if event["event_type"] != "state_changed":
            self.events.append(event)
            return
        entity, state = event["data"]["entity_id"], event["data"]["new_state"]
        if state is None:
            self.states.pop(entity, None)
        else:
            self.states[entity] = state
        self.history.append((entity, state))

    def command(self, kind, **members):
        """Answers the result of one WebSocket command."""
        with self.condition:
            self._next += 1
            number = self._next
        self._socket.send({"id": number, "type": kind, **members})
        with self.condition:
            assert self.condition.wait_for(lambda: number in self._results, 30), f"{kind} was not answered"
            answer = self._results.pop(number)
        if not answer["success"]:
            raise RuntimeError(f"{kind}: {answer['error']}")
        return answer["result"]

    def call(self, action, entity=None, **data):
        """Performs an action such as `button.press`."""
        domain, service = action.split(".")
        target = {"entity_id": entity} if entity else {}
        return self.command("call_service", domain=domain, service=service, service_data=data, target=target)

    def state(self, entity):
        state = self.states.get(entity)
        return state and state["state"]

    def attributes(self, entity):
        return self.states[entity]["attributes"]
