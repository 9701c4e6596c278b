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

  /// What the store held, read before the thread starts its work.
  let contents: StoreContents
  /// What was wrong with it; `nil`: nothing.
  let problem: StoreError?
  /// Where a damaged or newer file is kept now.
  let keptAs: String?
  /// Whether it could not be opened for writing.
  let isClosed: Bool

  /// What the thread found, without the store itself, which stays there.
  private struct Opened: Sendable {
    let contents: StoreContents
    let problem: StoreError?
    let keptAs: String?
    let isClosed: Bool
  }

  /// Opens the store on its thread and waits until its contents are read.
  ///
  /// - Parameter committed: called on the store's thread, with the error of a commit that failed.
  init(directory: String, committed: @escaping @Sendable (UInt64, StoreError?) -> Void) throws {
    let jobs = try Mailbox<Job>()
    let opened = try Mailbox<Result<Opened, StoreError>>()
    self.jobs = jobs
    thread = try WorkerThread(name: "store") { Self.run(directory: directory, jobs: jobs, opened: opened, committed: committed) }
    while true {
      opened.wait()
      guard let result = opened.drain().first else { continue }
      let found = try result.get()
      (contents, problem, keptAs, isClosed) = (found.contents, found.problem, found.keptAs, found.isClosed)
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
    directory: String, jobs: Mailbox<Job>, opened: Mailbox<Result<Opened, StoreError>>,
    committed: @Sendable (UInt64, StoreError?) -> Void
  ) {
    var opening: StoreOpening
    do throws(StoreError) {
      opening = try AlarmStore.open(directory: directory)
      opened.post(
        .success(
          Opened(
            contents: opening.contents, problem: opening.problem, keptAs: opening.keptAs, isClosed: opening.store == nil)))
    } catch { return opened.post(.failure(error)) }
    while true {
      jobs.wait()
      for job in jobs.drain() {
        switch job {
        case .commit(let token, let change):
          do throws(StoreError) {
            try commit(change, &opening, directory: directory)
            committed(token, nil)
          } catch { committed(token, error) }
        case .run(let work): work()
        case .close:
          opening.store?.close()
          return
        }
      }
    }
  }

  /// Writes a change; opens the store first where that failed before.
  private static func commit(_ change: StoreChange, _ opening: inout StoreOpening, directory: String) throws(StoreError) {
    if let store = opening.store { return try store.commit(change) }
    let store = try AlarmStore(directory: directory)
    do throws(StoreError) {
      if opening.isUnwritten { try store.commit(StoreChange(opening.contents)) }
      try store.commit(change)
    } catch {
      store.close()
      throw error
    }
    opening.store = store
    opening.contents = StoreContents()
  }
}
