import Glibc
import Synchronization
import Testing

@testable import LinuxSupport

@Suite struct WorkerThreadTests {
  @Test("Joining waits for the body, which runs on a thread of its own")
  func join() throws {
    let gate = try EventDescriptor()
    let box = Box(Mutex<pthread_t?>(nil))
    let thread = try WorkerThread(name: "worker") {
      _ = isReadable(gate.descriptor, within: patience)
      box.value.withLock { $0 = pthread_self() }
    }
    gate.signal()
    thread.join()
    let identifier = box.value.withLock { $0 }
    #expect(identifier != nil && identifier != pthread_self())
  }

  @Test("Joining until a deadline leaves a thread behind that does not end, and waits for one that does")
  func joinUntilDeadline() throws {
    let gate = try EventDescriptor()
    let box = Box(Mutex(false))
    let body: @Sendable () -> Void = {
      while !gate.wait() {}
      box.value.withLock { $0 = true }
    }
    let stuck = try WorkerThread(name: "stuck", body)
    let start = SystemClock.elapsedMilliseconds()
    #expect(!stuck.join(until: start + 100))
    #expect(SystemClock.elapsedMilliseconds() >= start + 100)
    #expect(!box.value.withLock { $0 })
    gate.signal()
    #expect(stuck.join(until: SystemClock.elapsedMilliseconds() + 60_000))
    #expect(box.value.withLock { $0 })
  }

  @Test(
    "The name is the thread's, cut to fifteen bytes at a character",
    arguments: [
      ("store", "store"), ("exactly-fifteen", "exactly-fifteen"), ("longer than fifteen bytes", "longer than fif"),
      ("ääääääääääää", "äääääää"), ("thread-⏰-⏰-⏰", "thread-⏰-⏰-"), ("", ""),
    ])
  func name(given: String, shown: String) throws {
    let box = Box(Mutex(""))
    try WorkerThread(name: given) {
      let descriptor = open("/proc/thread-self/comm", O_RDONLY)
      defer { close(descriptor) }
      var name = [UInt8](repeating: 0, count: 32)
      let count = max(read(descriptor, &name, name.count), 0)
      let text = String(decoding: name[..<count].prefix { $0 != 0x0A }, as: UTF8.self)
      box.value.withLock { $0 = text }
    }.join()
    #expect(box.value.withLock { $0 } == shown)
  }

  @Test("What the body holds is freed when it has run")
  func release() throws {
    weak var held: Held?
    do {
      let object = Held()
      held = object
      let thread = try WorkerThread(name: "holder") { object.touch() }
      thread.join()
    }
    #expect(held == nil)
  }

  @Test("A body may need some hundred kilobytes of stack")
  func stack() throws {
    let box = Box(Mutex(0))
    try WorkerThread(name: "deep") { box.value.withLock { $0 = sumDeeply(2000) } }.join()
    #expect(box.value.withLock { $0 } == 2000)
  }

  private final class Held: Sendable {
    func touch() {}
  }

  private final class Box<Value: Sendable>: Sendable {
    let value: Mutex<Value>
    init(_ value: consuming sending Mutex<Value>) { self.value = value }
  }
}

/// Recurses with 200 bytes or so a level.
private func sumDeeply(_ level: Int) -> Int {
  level == 0
    ? 0
    : withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 100) { bytes in
      bytes.initialize(repeating: 1)
      return Int(bytes[level % 100]) + sumDeeply(level - 1)
    }
}
