import AlarmEngine
import CivilTime
import Configuration

extension NodeConfiguration {
  /// What is wrong with a configuration file and its surroundings; `nil` if a node can start with it.
  static func problem(file: String) -> String? {
    do throws(ConfigurationErrors) { return try load(file: file).surroundingsProblem().map { "\(file): \($0)" } } catch {
      return error.description
    }
  }

  /// What is wrong with the files that the configuration names, as far as can be seen without running: the zone and the password.
  package func surroundingsProblem() -> String? {
    do throws(ZoneError) {
      if let timeZone { _ = try ZoneDatabase().zone(named: timeZone) }
    } catch { return "time_zone: \(error.message)" }
    do throws(NodeError) { _ = try allowedOperations() } catch { return error.description }
    do throws(PasswordFileError) { _ = try mqtt.password() } catch { return "mqtt.password_file: \(error.message)" }
    return nil
  }

  /// What may be asked of the node.
  ///
  /// - Throws: `NodeError` where the configuration names an operation that there is not.
  func allowedOperations() throws(NodeError) -> [Operation] {
    let all = Operation.allCases.map(\.rawValue)
    if let unknown = limits.operations.first(where: { !all.contains($0) }) {
      throw NodeError("limits.operations: there is no operation \(unknown); there are \(all.joined(separator: ", "))")
    }
    return limits.operations.isEmpty ? Operation.allCases : Operation.allCases.filter { limits.operations.contains($0.rawValue) }
  }
}
