public import BatonCore

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
    /// Major versions that the hub supports, with `unsupported_version`.
    public var versions: [Int]?
    /// The current revision of the queue or the playlist, with `queue_conflict`.
    public var revision: Int?

    /// `nil` for a code this version does not know.
    public var known: ErrorCode? { ErrorCode(rawValue: code) }

    package init(
        code: String, retry: Bool, message: String, at: String? = nil, afterMs: Milliseconds? = nil, versions: [Int]? = nil,
        revision: Int? = nil
    ) {
        self.code = code
        self.retry = retry
        self.message = message
        self.at = at
        self.afterMs = afterMs
        self.versions = versions
        self.revision = revision
    }

    /// The error in the form for the wire; whether a retry makes sense follows from the code.
    package init(_ fault: ProtocolFault) {
        code = fault.code.rawValue
        retry = fault.code.retry
        message = fault.sentence
        at = fault.at
        afterMs = fault.retryAfterMs
        versions = fault.versions
        revision = fault.revision
    }

    package init(_ code: ErrorCode, _ sentence: String) { self.init(ProtocolFault(code, sentence)) }
}
