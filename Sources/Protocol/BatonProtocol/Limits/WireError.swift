/// An error as it stands in a message. The code stays text, because a newer hub may know more of them.
public struct WireError: Error, Equatable, Sendable {
    /// The code by which clients decide.
    public var code: String
    /// Whether the same command may succeed later, unchanged.
    public var retry: Bool
    /// For people.
    public var message: String
    /// The part of the message that it concerns, as a JSON pointer.
    public var at: String?
    /// How long to wait before trying again.
    public var afterMs: Int?
    /// The majors the hub speaks, beside `unsupported_version`.
    public var versions: [Int]?
    /// The revision that the queue or the playlist has now, beside `queue_conflict`.
    public var revision: Int?

    /// `nil` for a code this version does not know.
    public var known: ErrorCode? { ErrorCode(rawValue: code) }

    package init(
        code: String, retry: Bool, message: String, at: String? = nil, afterMs: Int? = nil, versions: [Int]? = nil, revision: Int? = nil
    ) {
        self.code = code
        self.retry = retry
        self.message = message
        self.at = at
        self.afterMs = afterMs
        self.versions = versions
        self.revision = revision
    }

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
