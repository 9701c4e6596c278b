import Glibc

/// A TCP relay in front of a broker that swallows the broker's acknowledgements of one topic's messages until told otherwise.
///
/// It reads MQTT just as far as needed: packet type, length, topic and packet identifier (MQTT 5 §2.1 and §3.3).
package final class ForgetfulProxy: Sendable {
  package let port: UInt16
  private let process: Subprocess

  package init(_ broker: BrokerProcess, forgetting topicEnd: String) throws {
    process = try Subprocess(["python3", "-c", Self.program, String(broker.port), topicEnd])
    guard let port = process.output.first(where: { _ in true }).flatMap(UInt16.init) else {
      throw TestSupportError("proxy: \(process.errors.all)")
    }
    self.port = port
  }

  /// Breaks the connections that stand.
  package func cut() { process.write("cut\n") }

  /// From now on all acknowledgements pass.
  package func remember() { process.write("remember\n") }

  private static let program = """
    import socket, sys, threading

    broker, end = int(sys.argv[1]), sys.argv[2].encode()
    forgetful, sockets = True, []

    def packet(source):
        def read(count):
            data = b""
            while len(data) < count:
                more = source.recv(count - len(data))
                if not more:
                    raise EOFError
                data += more
            return data
        head, length, shift = read(1), 0, 0
        raw = head
        while True:
            byte = read(1)
            raw += byte
            length |= (byte[0] & 127) << shift
            shift += 7
            if byte[0] < 128:
                break
        return head[0], raw, read(length)

    def relay(source, target, forgotten, from_node):
        try:
            while True:
                head, raw, body = packet(source)
                if from_node and head >> 4 == 3 and head & 6:
                    length = int.from_bytes(body[:2], "big")
                    if body[2:2 + length].endswith(end):
                        forgotten.add(body[2 + length:4 + length])
                if not from_node and head >> 4 == 4 and forgetful and body[:2] in forgotten:
                    forgotten.discard(body[:2])
                    continue
                target.sendall(raw + body)
        except (EOFError, OSError):
            pass
        for each in (source, target):
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def accept(server):
        while True:
            node, _ = server.accept()
            try:
                other = socket.create_connection(("127.0.0.1", broker))
            except OSError:
                node.close()
                continue
            sockets.extend((node, other))
            forgotten = set()
            for arguments in ((node, other, forgotten, True), (other, node, forgotten, False)):
                threading.Thread(target=relay, args=arguments, daemon=True).start()

    server = socket.create_server(("127.0.0.1", 0))
    print(server.getsockname()[1], flush=True)
    threading.Thread(target=accept, args=(server,), daemon=True).start()
    for line in sys.stdin:
        if line.strip() == "remember":
            forgetful = False
        elif line.strip() == "cut":
            for each in sockets:
                try:
                    each.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
            sockets.clear()
    """
}
