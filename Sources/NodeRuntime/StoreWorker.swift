import AlarmEngine
import AlarmStore
import LinuxSupport

/// The thread that owns the store: an SD card's sync may take seconds.
final class StoreWorker: Sendable {
  private enum Job: Sendable {
    case commit(token: UInt64, StoreChange)
    case run(@Sendable () -> Void)
    case close
  }

  private let jobs: Mailbox<Job>
  private let thread: WorkerThread

  /// What the store holds, read before the thread starts its work.
  let contents: StoreContents

  /// Opens the store on its thread and waits until its contents are read.
  ///
  /// - Parameter committed: called on the store's thread, with the error of a commit that failed.
  init(directory: String, committed: @escaping @Sendable (UInt64, StoreError?) -> Void) throws {
    let jobs = try Mailbox<Job>()
    let opened = try Mailbox<Result<StoreContents, StoreError>>()
    self.jobs = jobs
    thread = try WorkerThread(name: "store") { Self.run(directory: directory, jobs: jobs, opened: opened, committed: committed) }
    while true {
      opened.wait()
      guard let result = opened.drain().first else { continue }
      contents = try result.get()
      return
    }
  }

  func commit(_ token: UInt64, _ change: StoreChange) { jobs.post(.commit(token: token, change)) }

  /// Runs other work that may wait for the disk.
  func run(_ work: @escaping @Sendable () -> Void) { jobs.post(.run(work)) }

  /// Does what was handed in so far, closes the store and ends the thread.
  func close() {
    jobs.post(.close)
    thread.join()
  }

  private static func run(
    directory: String, jobs: Mailbox<Job>, opened: Mailbox<Result<StoreContents, StoreError>>,
    committed: @Sendable (UInt64, StoreError?) -> Void
  ) {
    let store: AlarmStore
    do throws(StoreError) {
      store = try AlarmStore(directory: directory)
      opened.post(.success(try store.load()))
    } catch { return opened.post(.failure(error)) }
    while true {
      jobs.wait()
      for job in jobs.drain() {
        switch job {
        case .commit(let token, let change):
          do throws(StoreError) {
            try store.commit(change)
            committed(token, nil)
          } catch { committed(token, error) }
        case .run(let work): work()
        case .close:
          store.close()
          return
        }
      }
    }
  }
}
