public import BatonCore
import BatonJSON

/// An error in a message. The code stays text, because a newer hub may have further codes.
public struct WireError: Error, Equatable, Sendable {
    /// The code, on which clients act.
    public var code: String
    /// Whether the same command may succeed later, unchanged.
    public var retry: Bool
    /// A sentence for people.
    public var message: String
    /// The part of the message that it concerns, as a JSON pointer.
    public var at: String?
    /// Wait before the next attempt.
    public var afterMs: Milliseconds?
    /// The current revision of the queue or the playlist, with `queue_conflict`.
    public var revision: Int?
    /// The version of Core that the hub speaks, with `unsupported_version`.
    public var core: String? { rest?.core }
    /// The subject of the error, for clients with the capability `reasons`.
    public var reason: Reason? { rest?.reason }
    private var rest: Rest?

    /// The part that few errors have. It lies elsewhere, since every reply has room for an error.
    private final class Rest: Equatable, Sendable {
        let core: String?
        let reason: Reason?

        init?(core: String?, reason: Reason?) {
            guard core != nil || reason != nil else { return nil }
            (self.core, self.reason) = (core, reason)
        }

        static func == (one: Rest, other: Rest) -> Bool { one.core == other.core && one.reason == other.reason }
    }

    /// `nil` for a code this version does not know.
    public var known: ErrorCode? { ErrorCode(rawValue: code) }

    package init(
        code: String, retry: Bool, message: String, at: String? = nil, afterMs: Milliseconds? = nil, core: String? = nil,
        revision: Int? = nil, reason: Reason? = nil
    ) {
        self.code = code
        self.retry = retry
        self.message = message
        self.at = at
        self.afterMs = afterMs
        self.revision = revision
        rest = Rest(core: core, reason: reason)
    }

    /// The error in the form for the wire; whether a retry makes sense follows from the code.
    package init(_ fault: ProtocolFault) {
        code = fault.code.rawValue
        retry = fault.code.retry
        message = fault.sentence
        at = fault.at
        afterMs = fault.retryAfterMs
        revision = fault.revision
        rest = Rest(core: fault.code == .unsupportedVersion ? CoreVersion.text : nil, reason: fault.reason)
    }

    package init(_ code: ErrorCode, _ sentence: String) { self.init(ProtocolFault(code, sentence)) }
}
