import CivilTime
import Configuration

extension NodeConfiguration {
  /// What is wrong with the files that the configuration names, as far as can be seen without running: the zone and the password.
  package func surroundingsProblem() -> String? {
    do throws(ZoneError) {
      if let timeZone { _ = try ZoneDatabase().zone(named: timeZone) }
    } catch { return "time_zone: \(error.message)" }
    do throws(PasswordFileError) { _ = try mqtt.password() } catch { return "mqtt.password_file: \(error.message)" }
    return nil
  }
}
