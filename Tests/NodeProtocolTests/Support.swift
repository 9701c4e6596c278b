import AlarmEngine
import AlarmModel
import CivilTime
import JSON
import NodeProtocol
import Testing

let topics = Topics(prefix: "reveille", node: "bedroom")

let reader = CommandReader(
  topics: topics,
  context: DocumentContext(
    localZone: .utc, zone: { $0 == "UTC" ? .utc : nil }, isKnownSound: { $0 == "default" }, makeIdentifier: { "made" }),
  responsePrefixes: ["homeassistant/replies"])

func message(_ topic: String, _ payload: String, retained: Bool = false, responseTopic: String? = nil) -> CommandReader.Message {
  CommandReader.Message(
    topic: topic, payload: Array(payload.utf8), isRetained: retained, responseTopic: responseTopic,
    correlationData: responseTopic.map { _ in [1, 0, 255] })
}

/// The request that a message is read as.
func request(_ operation: String, _ payload: String, retained: Bool = false, responseTopic: String? = nil) -> Request? {
  let message = message("reveille/bedroom/request/\(operation)", payload, retained: retained, responseTopic: responseTopic)
  guard case .request(let request) = reader.read(message) else {
    Issue.record("\(operation) is no request")
    return nil
  }
  return request
}

extension Request {
  var code: RequestError.Code? { if case .failure(let error) = body { error.code } else { nil } }
  var field: String? { if case .failure(let error) = body { error.field } else { nil } }
  var asked: RequestBody? { if case .success(let body) = body { body } else { nil } }
}
