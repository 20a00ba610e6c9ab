package import BatonCore
import BatonProtocol
package import BatonWire

/// One press of a button: what is asked, and all that makes asking again safe.
///
/// Sent again after a lost connection it has another id and the same key, so the hub gives the answer
/// it gave before. How long ago the press was travels along, and the hub refuses what is too old.
package struct Press: Equatable, Sendable {
    private let method: String
    private let params: JSONObject
    package var key: String?
    package var room: RoomID?
    /// Our clock at the press.
    package var atUs: Int64
    /// For how long it is wanted. Without one nothing is said about its age, and the hub takes it however late.
    package var ttlMs: Int?

    package static let usualTTLMs = 5000

    package init(_ command: some WireCommand, key: String?, room: RoomID?, atUs: Int64, ttlMs: Int? = nil) {
        let frame = CommandFrame(id: 1, command)
        method = frame.method
        params = frame.params
        self.key = key
        self.room = room
        self.atUs = atUs
        self.ttlMs = ttlMs
    }

    /// The moment of the press is told in the clock of the hub that is asked now, whose clock may have
    /// begun anew since.
    package func frame(id: Int, atUs nowUs: Int64, hubUs: Int64?) -> CommandFrame {
        let pressedHubMs = ttlMs == nil ? nil : hubUs.map { max(0, $0 - (nowUs - atUs)) / 1000 }
        return CommandFrame(
            id: id, method: method, key: key, room: room, ct: pressedHubMs, ttl: pressedHubMs == nil ? nil : ttlMs, params: params)
    }
}
