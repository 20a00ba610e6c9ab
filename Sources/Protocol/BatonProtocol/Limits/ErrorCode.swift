/// The error codes of the protocol. A code never changes its meaning. Clients translate by code, so the sentence beside it
/// may change at any time.
public enum ErrorCode: String, Sendable, CaseIterable {
    case badRequest = "bad_request"
    case unknownCommand = "unknown_command"
    case unknownType = "unknown_type"
    case unsupportedVersion = "unsupported_version"
    case unauthorized
    case forbidden
    case revoked
    case pairingClosed = "pairing_closed"
    case pinWrong = "pin_wrong"
    case rateLimited = "rate_limited"
    case busy
    case timeout
    case `internal`
    case unavailable
    case sourceFailed = "source_failed"
    case expired
    case cancelled
    case queueConflict = "queue_conflict"
    case anchorGone = "anchor_gone"
    case gone
    case notFound = "not_found"
    case invalidState = "invalid_state"
    case unsupported
    case tooLarge = "too_large"
    case quota
    case idReuse = "id_reuse"
    case keyMismatch = "key_mismatch"

    /// Whether the same command may succeed later, unchanged.
    public var retry: Bool {
        switch self {
        case .rateLimited, .busy, .timeout, .internal, .unavailable, .sourceFailed: true
        default: false
        }
    }
}
