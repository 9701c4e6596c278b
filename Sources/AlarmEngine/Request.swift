import AlarmModel
import CivilTime
import JSON

/// What can be asked of the node.
package enum Operation: String, CaseIterable, Sendable {
  case schedule, update, quick, siren, cancel, pause, resume, stop, snooze, enable, disable, skip, unskip, adjust, get, list, preview, test

  /// Whether it may change an alarm: its reply waits for the disk and is kept with its transaction.
  package var isChanging: Bool {
    switch self {
    case .get, .list, .preview, .test: false
    default: true
    }
  }
}

/// One command that reached the node, read but not judged.
package struct Request: Sendable {
  /// The operation's name as it was called, an alias or an unknown one included: the reply repeats it.
  package var name: String
  /// At most 128 characters, chosen by the sender.
  package var transaction: String?
  /// A digest of the whole body: the same transaction with another body is a conflict.
  package var digest: UInt64
  /// Past this instant the request is refused.
  package var notAfter: Instant?
  /// The fault found while reading, or what is asked.
  package var body: Result<RequestBody, RequestError>
  package var origin: RequestOrigin
  package var address: ReplyAddress

  package init(
    name: String, transaction: String? = nil, digest: UInt64 = 0, notAfter: Instant? = nil, body: Result<RequestBody, RequestError>,
    origin: RequestOrigin = .request, address: ReplyAddress = ReplyAddress()
  ) {
    self.name = name
    self.transaction = transaction
    self.digest = digest
    self.notAfter = notAfter
    self.body = body
    self.origin = origin
    self.address = address
  }
}

package enum RequestBody: Hashable, Sendable {
  case schedule(Alarm, ifRevision: Int?)
  /// Some members of an existing alarm's document, new (JSON Merge Patch, RFC 7396).
  case update(id: String, members: JSONObject, ifRevision: Int?)
  case quick(QuickAlarm, id: String?)
  /// `id` nil: all alarms that the operation's rule for "without an id" names.
  case change(AlarmOperation, id: String?, occurrence: String?)
  /// Sounds until it is switched off; `nil`: switch it off.
  case siren(Siren?)
  case get(id: String)
  case list
  case preview(Alarm, from: Instant?, count: Int)
  case test(Test)

  /// A siren that sounds.
  package struct Siren: Hashable, Sendable {
    /// The alarm that it is.
    package static let id = "siren"

    package var sound: String?
    package var volume: Int?
    /// How long; `nil`: a day, unless it is switched off.
    package var duration: Seconds?

    package init(sound: String? = nil, volume: Int? = nil, duration: Seconds? = nil) {
      self.sound = sound
      self.volume = volume
      self.duration = duration
    }

    var alarm: Alarm {
      var alarm = Alarm(id: Self.id)
      alarm.title = "Siren"
      // A timer that is over at once.
      alarm.countdownDuration.preAlert = Seconds(milliseconds: 1)
      alarm.sound = sound
      alarm.volume = volume
      alarm.ringFor = duration ?? Seconds(milliseconds: 86_400_000)
      alarm.onRingTimeout = .stop
      return alarm
    }
  }

  /// A short test of the outputs.
  package struct Test: Hashable, Sendable {
    /// `nil`: the setting's.
    package var sound: String?
    package var volume: Int?
    package var duration: Seconds
    /// The kinds that are to sound; `nil`: as an alarm would.
    package var outputs: Set<String>?

    package init(sound: String? = nil, volume: Int? = nil, duration: Seconds = 3, outputs: Set<String>? = nil) {
      self.sound = sound
      self.volume = volume
      self.duration = duration
      self.outputs = outputs
    }
  }

  package var operation: Operation {
    switch self {
    case .schedule: .schedule
    case .update: .update
    case .quick: .quick
    case .siren: .siren
    case .change(let operation, _, _): operation.operation
    case .get: .get
    case .list: .list
    case .preview: .preview
    case .test: .test
    }
  }
}

/// The operations on an alarm that exists.
package enum AlarmOperation: Hashable, Sendable {
  case cancel, pause, resume, stop, enable, disable, skip, unskip
  case snooze(Seconds?)
  case adjust(Instant?)

  package var operation: Operation {
    switch self {
    case .cancel: .cancel
    case .pause: .pause
    case .resume: .resume
    case .stop: .stop
    case .enable: .enable
    case .disable: .disable
    case .skip: .skip
    case .unskip: .unskip
    case .snooze: .snooze
    case .adjust: .adjust
    }
  }
}

/// Who asked: the `by` of events.
package enum RequestOrigin: String, Hashable, Sendable { case request, button }

/// Where a reply goes besides the operation's ordinary response topic.
package struct ReplyAddress: Hashable, Sendable {
  /// MQTT 5 Response Topic, already found to be allowed.
  package var responseTopic: String?
  /// MQTT 5 Correlation Data, handed back as it came.
  package var correlationData: [UInt8]?
  /// Why a response topic that was given is left unused.
  package var warning: String?

  package init(responseTopic: String? = nil, correlationData: [UInt8]? = nil, warning: String? = nil) {
    self.responseTopic = responseTopic
    self.correlationData = correlationData
    self.warning = warning
  }
}

/// The answer to one request.
package struct Reply: Hashable, Sendable {
  package var operation: String
  package var document: JSONObject

  init(ok data: JSONValue, to request: Request) {
    operation = request.name
    document = ["status": "ok", "operation": .string(request.name), "transaction": JSONValue(request.transaction), "data": data]
  }

  package init(_ error: RequestError, to request: Request) {
    operation = request.name
    document = [
      "status": "error", "operation": .string(request.name), "transaction": JSONValue(request.transaction),
      "error": ["code": .string(error.code.rawValue), "message": .string(error.message), "field": JSONValue(error.field)],
    ]
  }

  init(stored document: JSONObject, operation: String) {
    self.operation = operation
    self.document = document
  }
}
