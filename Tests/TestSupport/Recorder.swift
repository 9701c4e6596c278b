import Glibc

/// A list that one thread fills while others wait for what they expect in it.
package final class Recorder<Element: Sendable>: @unchecked Sendable {
  // @unchecked: a pthread mutex guards everything below it.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var elements: [Element] = []
  private var isFinished = false

  package init() {
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  package var all: [Element] {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return elements
  }

  package func append(_ element: Element) {
    pthread_mutex_lock(mutex)
    elements.append(element)
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }

  /// No more will come: those who wait need not.
  package func finish() {
    pthread_mutex_lock(mutex)
    isFinished = true
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Waits until `answer` finds what it looks for in all elements so far; `nil` if it has not within the time.
  package func wait<Answer>(within milliseconds: Int = 20_000, for answer: ([Element]) -> Answer?) -> Answer? {
    var deadline = timespec()
    clock_gettime(CLOCK_MONOTONIC, &deadline)
    deadline.tv_sec += milliseconds / 1000
    deadline.tv_nsec += milliseconds % 1000 * 1_000_000
    if deadline.tv_nsec >= 1_000_000_000 {
      deadline.tv_sec += 1
      deadline.tv_nsec -= 1_000_000_000
    }
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let found = answer(elements) { return found }
      if isFinished || pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT { return answer(elements) }
    }
  }

  /// Waits for the first element that fits.
  package func first(within milliseconds: Int = 20_000, where fits: (Element) -> Bool) -> Element? {
    wait(within: milliseconds) { $0.first(where: fits) }
  }
}
