package import BatonCore
import BatonProtocol
package import BatonWire

/// A press of a button: a command with the facts that make it safe to repeat.
///
/// After a lost connection it is sent again with another id and the same key, so that the hub repeats its first
/// answer. The command carries the time of the press, and the hub refuses one that is too old.
package struct Press: Equatable, Sendable {
    private let method: String
    private let params: JSONObject
    /// The same text each time the command is sent, so that the hub applies it once; `nil` for one that may be repeated freely.
    package var key: String?
    /// The room that the command applies to; `nil` for the room that the connection follows.
    package var room: RoomID?
    /// The local clock at the time of the press.
    package var atUs: Microseconds
    /// The time for which the command is valid; `nil` sends no age, so that the hub accepts it at any time.
    package var ttlMs: Milliseconds?

    /// Validity of a press in milliseconds: a person who waits longer no longer expects an effect.
    package static let usualTTLMs: Milliseconds = 5000

    /// A wish that a person has once at a time: of several presses the newest counts.
    package enum Wish: Hashable, Sendable {
        /// To play, or to be silent.
        case playing(RoomID?)
        /// A level.
        case volume(RoomID?)
    }

    /// The wish that this press is about; `nil` if newer presses leave it alone.
    package var wish: Wish? {
        switch CommandKind(rawValue: method) {
        case .play, .pause, .toggle, .stop: .playing(room)
        case .volumeSet: .volume(room)
        default: nil
        }
    }

    /// Whether the press means the entry that was on the screen.
    package var meansCurrent: Bool { [.next, .prev].contains(CommandKind(rawValue: method)) }

    /// Encodes the command at once, so that a repetition sends the same parameters.
    package init(_ command: some WireCommand, key: String?, room: RoomID?, atUs: Microseconds, ttlMs: Milliseconds? = nil) {
        let frame = CommandFrame(id: 1, command)
        method = frame.method
        params = frame.params
        self.key = key
        self.room = room
        self.atUs = atUs
        self.ttlMs = ttlMs
    }

    /// The command as a message. The time of the press is converted to the hub's current clock. It is negative if that began after the press.
    package func frame(id: Int, atUs nowUs: Microseconds, hubUs: Microseconds?) -> CommandFrame {
        let pressedHubMs = ttlMs == nil ? nil : hubUs.map { Milliseconds($0 - (nowUs - atUs)) }
        return CommandFrame(
            id: id, method: method, key: key, room: room, ct: pressedHubMs, ttl: pressedHubMs == nil ? nil : ttlMs, params: params)
    }
}
