/// A stored answer in the JSON of the companion protocol, which has been the format since the first version.
import BatonProtocol
import BatonWire

extension Reply {
    var storedBytes: [UInt8] { JSONWriter.bytes { encode(into: &$0) } }

    /// `nil` for bytes that are no answer.
    init?(storedBytes: [UInt8], to kind: CommandKind) {
        guard case .reply(let received) = try? HubMessage.decode(storedBytes) else { return nil }
        self = received.reply
        data = received.data.flatMap { data in try? kind.content?.init(from: data) }
    }
}
