package import BatonCore

/// The reason why a message was refused, in the form for the sender.
public struct ProtocolFault: Error, Equatable, Sendable {
    /// The code, from which the sender derives what to do; it also decides whether a retry makes sense.
    public var code: ErrorCode
    /// English, for people; clients translate by `code`.
    public var sentence: String
    /// A JSON pointer into the refused message.
    public var at: String?
    /// Wait before the next attempt.
    package var retryAfterMs: Milliseconds?
    /// The current revision of the queue or the playlist, with `queue_conflict`.
    package var revision: Int?
    /// The command this answers. Without one the answer is an `err`, not a `res`.
    package var id: Int?
    /// The subject of the fault, for clients with the capability `reasons`.
    package var reason: Reason?
    /// Whether the frame was not a message at all. A connection ends after a few of these.
    package var isStrike = false

    package init(
        _ code: ErrorCode, _ sentence: String, at: String? = nil, retryAfterMs: Milliseconds? = nil, id: Int? = nil, reason: Reason? = nil
    ) {
        self.code = code
        self.sentence = sentence
        self.at = at
        self.retryAfterMs = retryAfterMs
        self.id = id
        self.reason = reason
    }

    /// The answer to every method that the hub does not have: a misspelt one, a retired one, one of a vendor, or one of a profile it lacks.
    package static var unknownCommand: ProtocolFault { ProtocolFault(.unknownCommand, "There is no command of this name.") }

    /// The answer to a `hello` of another major version.
    package static var unsupportedVersion: ProtocolFault {
        ProtocolFault(.unsupportedVersion, "This hub speaks Core \(CoreVersion.text). The client or the hub needs an update.", at: "/core")
    }

    /// The same fault as the answer to the command with this id.
    package func answering(_ id: Int) -> ProtocolFault {
        var fault = self
        fault.id = id
        return fault
    }
}
