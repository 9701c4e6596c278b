/// What came of opening a store that may be damaged, newer or on a full disk.
package struct StoreOpening {
  /// `nil`: nothing can be written at present; `AlarmStore.init` may be tried again later.
  package var store: AlarmStore?
  /// What could be read.
  package var contents: StoreContents
  /// What was wrong; `nil`: nothing.
  package var problem: StoreError?
  /// The path that the file was renamed to, where it was set aside.
  package var keptAs: String?
  /// Whether `contents` must be written to the store that is opened later, because they are in a file that was set aside.
  package var isUnwritten = false
}

extension AlarmStore {
  /// Opens the state in `directory`, whatever has become of it.
  ///
  /// A damaged file, or one of a newer version, is renamed, and what can be read of it goes into a new one. Where nothing can be written (a
  /// full, read-only or failing disk) what is there is read. Throws `inUse`, `cannotOpen` and others, where the user's setup is wrong.
  package static func open(directory path: String) throws(StoreError) -> StoreOpening {
    do throws(StoreError) {
      let store = try AlarmStore(directory: path)
      do throws(StoreError) { return StoreOpening(store: store, contents: try store.load()) } catch {
        store.close()
        throw error
      }
    } catch {
      switch error.code {
      case .corrupt, .newerVersion: return try replace(directory: path, error)
      case .diskFull, .readOnly, .inputOutput:
        return StoreOpening(contents: Salvage.contents(of: path + "/reveille.db"), problem: error)
      default: throw error
      }
    }
  }

  private static func replace(directory path: String, _ problem: StoreError) throws(StoreError) -> StoreOpening {
    var opening = StoreOpening(contents: Salvage.contents(of: path + "/reveille.db"), problem: problem)
    do throws(StoreError) {
      opening.keptAs = try setAside(directory: path, as: problem.code == .newerVersion ? .newer : .corrupt)
      opening.isUnwritten = true
      let store = try AlarmStore(directory: path)
      opening.store = store
      try store.commit(StoreChange(opening.contents))
      opening.isUnwritten = false
    } catch {
      // The alarms that could be read ring all the same.
      opening.store?.close()
      opening.store = nil
      opening.problem = error
    }
    return opening
  }
}

extension StoreChange {
  /// Writes everything.
  package init(_ contents: StoreContents) {
    self.init(
      alarms: contents.alarms.map { AlarmChange(id: $0.id, record: $0.record) }, events: contents.events, replies: contents.replies,
      values: contents.values.mapValues { $0 })
  }
}
