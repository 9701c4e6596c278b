"""A session with a broker by MQTT 3.1.1: small, and precise about when a message came."""

import json
import socket
import struct
import threading
import time


class Message:
    """What was received, and when (monotonic seconds)."""

    def __init__(self, topic, payload, at):
        self.topic = topic
        self.text = payload.decode()
        self.at = at

    @property
    def document(self):
        return json.loads(self.text)

    def __repr__(self):
        return f"{self.topic} {self.text[:300]}"


class Client:
    """A session: remembers all that comes on a topic filter. Everything is QoS 0, which loses nothing over one TCP connection."""

    def __init__(self, port, topic_filter):
        self.messages = []
        self._changed = threading.Condition()
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # Protocol level 4, Clean Session, no keep-alive.
        self._send(0x10, self._text("MQTT") + b"\x04\x02\x00\x00" + self._text(f"judge-{id(self)}"))
        if self._receive() != (0x20, b"\x00\x00"):
            raise OSError("the broker refuses the session")
        self._send(0x82, b"\x00\x01" + self._text(topic_filter) + b"\x00")
        self._socket.settimeout(None)
        threading.Thread(target=self._listen, daemon=True).start()

    def publish(self, topic, payload):
        """Answers when it was sent."""
        self._send(0x30, self._text(topic) + payload.encode())
        return time.monotonic()

    def wait(self, wanted, seconds, since=0):
        """The first message, of those from `since` on, that is wanted; waits for it."""
        deadline = time.monotonic() + seconds
        with self._changed:
            while True:
                for message in self.messages:
                    if message.at >= since and wanted(message):
                        return message
                if not self._changed.wait(max(0, deadline - time.monotonic())) and time.monotonic() >= deadline:
                    raise TimeoutError("a message did not come; the latest were:\n" + "\n".join(map(repr, self.messages[-8:])))

    def all(self, wanted, since=0):
        with self._changed:
            return [message for message in self.messages if message.at >= since and wanted(message)]

    def close(self):
        self._socket.close()

    def _listen(self):
        try:
            while True:
                kind, body = self._receive()
                if kind & 0xF0 != 0x30:
                    continue
                length = struct.unpack_from(">H", body)[0]
                message = Message(body[2 : 2 + length].decode(), body[2 + length :], time.monotonic())
                with self._changed:
                    self.messages.append(message)
                    self._changed.notify_all()
        except OSError:
            pass  # The broker is gone, or close() was called: nothing more comes.

    @staticmethod
    def _text(text):
        return struct.pack(">H", len(text.encode())) + text.encode()

    def _send(self, kind, body):
        length, rest = b"", len(body)
        while not length or rest:
            rest, digit = divmod(rest, 128)
            length += bytes([digit | (0x80 if rest else 0)])
        self._socket.sendall(bytes([kind]) + length + body)

    def _receive(self):
        kind = self._exactly(1)[0]
        length, shift = 0, 0
        while True:
            digit = self._exactly(1)[0]
            length |= (digit & 0x7F) << shift
            shift += 7
            if digit < 0x80:
                return kind, self._exactly(length)

    def _exactly(self, count):
        data = b""
        while len(data) < count:
            part = self._socket.recv(count - len(data))
            if not part:
                raise ConnectionError("the broker has closed the connection")
            data += part
        return data
