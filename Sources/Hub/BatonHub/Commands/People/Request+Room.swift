/// Which commands a person may not send to a room out of which they were sent.
import BatonProtocol

extension Request {
    /// It changes what plays in the room, its queue, or what its people have decided.
    var isOfRoom: Bool {
        switch self {
        case .listening(.only): false
        case .room, .play, .add, .replace, .presence, .composing, .listening: true
        case .savedQueue(.goOn): true
        default: false
        }
    }
}
