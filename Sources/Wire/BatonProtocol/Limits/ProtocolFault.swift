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
    /// Major versions that this hub supports, with `unsupported_version`.
    package var versions: [Int]?
    /// Whether the frame was not a message at all. A connection ends after a few of these.
    package var isStrike = false

    package init(_ code: ErrorCode, _ sentence: String, at: String? = nil, retryAfterMs: Milliseconds? = nil, id: Int? = nil) {
        self.code = code
        self.sentence = sentence
        self.at = at
        self.retryAfterMs = retryAfterMs
        self.id = id
    }

    /// The hub knows the name of the command and has no handler for it.
    package init(notYet kind: CommandKind) {
        self.init(.unsupported, "This hub knows of “\(kind.rawValue)” but cannot do it yet.", at: "/m")
    }

    /// The same fault as the answer to the command with this id.
    package func answering(_ id: Int) -> ProtocolFault {
        var fault = self
        fault.id = id
        return fault
    }
}
