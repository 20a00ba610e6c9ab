import BatonProtocol
import BatonSeams

/// How a command goes on after its handler has returned.
enum Step {
    /// The answer is written.
    case done
    /// The connection waits for these events.
    case waiting(Events)
    /// The connection ends.
    case closing
    /// The hub is asked, which nearly always answers at once.
    case asking(any CommandRequest, @Loop (Reply) throws(Ack) -> Step)
    /// The rest waits for a disk or a source.
    case working(@Loop () async throws(Ack) -> Void)

    /// Asks the hub, whose answer says no more than that it was done.
    static func ask(_ command: any CommandRequest) -> Step { .asking(command) { _ in .done } }
}

extension Ack {
    /// The refusal of the hub, in the words of the protocol.
    init(_ error: WireError) {
        let code: Code =
            switch error.known {
            case .forbidden: .permission
            case .notFound, .gone, .anchorGone: .missing
            case .invalidState: .playerState
            case .quota, .tooLarge: .tooMany
            case .badRequest, .unsupported: .argument
            default: .system
            }
        self.init(code, error.message.isEmpty ? error.code : error.message)
    }

    init(_ fault: ProtocolFault) { self.init(WireError(fault)) }

    init(_ fault: SourceFault) {
        let code: Code =
            switch fault.code {
            case .notFound, .gone, .anchorGone: .missing
            case .forbidden: .permission
            case .badRequest, .unsupported: .argument
            case .quota, .tooLarge: .tooMany
            case .invalidState: .playerState
            default: .system
            }
        self.init(code, fault.sentence)
    }

    static let noSuchSong = Ack(.missing, "No such song")
    static let noSuchDirectory = Ack(.missing, "No such directory")
    static let badSongIndex = Ack(.argument, "Bad song index")
    static let notPlaying = Ack(.playerState, "Not playing")
    /// The library is not open yet.
    static let noDatabase = Ack(.missing, "No database")
}
