import AlarmModel
import AlarmSimulator
import CivilTime
import Configuration
import JSON
import LinuxSupport

/// `reveille simulate`: what would the alarms in this file do?
struct SimulateCommand {
  enum Failure: Error {
    case usage(String)
    case input(String)
  }

  private var zone: ZoneRules
  private var start = Instant(milliseconds: SystemClock.wallMilliseconds())
  private var days = 14
  private var isAnswered = true
  private let file: String
  private let database = ZoneDatabase()

  /// The longest time that is simulated, in days.
  private static let maximumDays = 3660
  private static let maximumFile = 1 << 20

  init(_ arguments: [String]) throws(Failure) {
    var from: String?
    var zoneName = ZoneDatabase.systemZoneName()
    var files: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--unanswered": isAnswered = false
      case "--zone", "--from", "--days":
        guard let value = rest.popFirst() else { throw .usage("\(argument) needs a value") }
        switch argument {
        case "--zone": zoneName = value
        case "--from": from = value
        default:
          guard let number = Int(value), (1...Self.maximumDays).contains(number) else {
            throw .usage("--days takes a whole number from 1 to \(Self.maximumDays)")
          }
          days = number
        }
      case _ where argument.hasPrefix("-"): throw .usage("there is no option \(argument)")
      default: files.append(argument)
      }
    }
    guard let file = files.first, files.count == 1 else { throw .usage("one FILE is needed") }
    self.file = file
    do throws(ZoneError) { zone = try database.zone(named: zoneName) } catch { throw .usage("--zone: \(error.message)") }
    if let from {
      guard let instant = InstantText.parse(from.contains { "Tt ".contains($0) } ? from : from + "T00:00") else {
        throw .usage("--from takes an instant such as 2027-03-27T12:00 or a date")
      }
      start = instant.instant(in: zone)
    }
  }

  /// Answers the lines to print.
  func run() throws(Failure) -> String {
    let documents = try documents()
    let database = database
    let context = DocumentContext(
      localZone: zone,
      zone: { name in do throws(ZoneError) { return try database.zone(named: name) } catch { return nil } },
      // Which sounds there are is the node's affair.
      isKnownSound: Identifier.isValid, makeIdentifier: { "alarm" })
    do throws(DocumentError) {
      var forecast = try Forecast(documents, context: context, from: start, days: days, isAnswered: isAnswered)
      let entries = forecast.run()
      let lines = entries.map(line)
      return lines.isEmpty ? "nothing happens within \(days) days of \(time(start))\n" : lines.joined(separator: "\n") + "\n"
    } catch { throw .input("\(file): \(error.field): \(error.message)") }
  }

  private func documents() throws(Failure) -> [JSONObject] {
    let value: JSONValue
    do {
      value = try JSONValue(parsing: FileContents(path: file, limit: Self.maximumFile).bytes)
    } catch let error as FileContents.Failure {
      throw .input("\(file) \(error.message)")
    } catch { throw .input("\(file): \(error)") }
    let reply = value.object?["data"]?.object ?? value.object
    let list = value.array ?? reply?["alarms"]?.array ?? [value]
    let documents = list.compactMap(\.object)
    guard documents.count == list.count else { throw .input("\(file): an alarm is an object, or a list of objects") }
    return documents.enumerated().map { index, document in
      var named = document
      if (document["id"] ?? .null) == .null { named["id"] = .string("alarm\(index + 1)") }
      return named
    }
  }

  private func line(_ entry: Forecast.Entry) -> String {
    let name = entry.id.map { id in entry.title.map { "\(id) (\($0))" } ?? id }
    return "\(time(entry.at))  " + (name.map { "\($0) " } ?? "") + entry.what + (entry.note.map { ": \($0)" } ?? "")
  }

  /// `2027-03-28 Sun 03:00:00 +02:00`.
  private func time(_ instant: Instant) -> String {
    let text = instant.formatted(in: zone)
    let weekday = String(describing: zone.local(at: instant).date.weekday).prefix(3).capitalized
    return "\(text.prefix(10)) \(weekday) \(text.dropFirst(11).prefix(8)) \(text.suffix(6))"
  }
}

extension StringProtocol {
  /// With its first letter in upper case.
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
