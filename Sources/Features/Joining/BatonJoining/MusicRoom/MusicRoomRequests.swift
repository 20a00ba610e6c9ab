/// Requests that change the server's state, in its own format.
///
/// GUESS: the bodies of queue changes and the way to set a mode are undocumented. Only this file contains them.
import BatonCore
import BatonJSON
import BatonSeams

enum MusicRoomRequests {
    enum Order: Equatable, Sendable {
        /// A message over the room's WebSocket.
        case message(String)
        case call(HTTPCall.Method, path: String, body: String)
    }

    /// The request for an action; `nil` if the server does not support it, for instance with tracks of other sources.
    static func order(_ action: ServerRoomAction, in room: String, of source: String) -> Order? {
        let path = "/api/channels/\(PercentText.encoded(room))"
        switch action {
        case .pause: return .message(#"{"action":"pause"}"#)
        case .unpause: return .message(#"{"action":"unpause"}"#)
        case .seek(let toMs): return .message(#"{"action":"seek","timestamp":\#(seconds(toMs))}"#)
        case .jump(let index): return .message(#"{"action":"jump","index":\#(index)}"#)
        case .setMode(let mode):
            return .call(.post, path: path + "/mode", body: JSONText.object([("mode", JSONText.string(mode.rawValue))]))
        default: return patch(action, source).map { .call(.patch, path: path + "/queue", body: $0) }
        }
    }

    private static func patch(_ action: ServerRoomAction, _ source: String) -> String? {
        switch action {
        case .add(let uris, let place):
            return ids(uris, source).map { JSONText.object([("add", $0), ("insertAt", place.map(String.init))]) }
        case .replace(let uris): return ids(uris, source).map { JSONText.object([("set", $0)]) }
        case .remove(let places): return JSONText.object([("remove", "[" + places.map(String.init).joined(separator: ",") + "]")])
        case .move(let from, let to):
            return JSONText.object([("move", JSONText.object([("from", String(from)), ("to", String(to))]))])
        case .pause, .unpause, .seek, .jump, .setMode: return nil
        }
    }

    private static func ids(_ uris: [ItemURI], _ source: String) -> String? {
        var list: [String] = []
        for uri in uris {
            guard case .track(let id)? = MusicRoomItem(uri, of: source) else { return nil }
            list.append(JSONText.string(id))
        }
        return "[" + list.joined(separator: ",") + "]"
    }

    /// Seconds in decimal, without binary rounding.
    private static func seconds(_ ms: Milliseconds) -> String {
        let rest = String(ms.count % 1000)
        return "\(ms.seconds)." + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
