/// The error codes of the protocol. A code never changes its meaning. Clients translate by code, so the sentence beside it
/// may change at any time.
public enum ErrorCode: String, Sendable, CaseIterable {
    /// A message that could not be understood; `at` points to the part that is wrong, and a repeat fails too.
    case badRequest = "bad_request"
    /// A command name that the hub does not have, because it is older than the client.
    case unknownCommand = "unknown_command"
    /// A message type that the hub does not have, because it is older than the client.
    case unknownType = "unknown_type"
    /// No common major version; `versions` lists the hub's.
    case unsupportedVersion = "unsupported_version"
    /// A device or a session that the hub does not know, or a wrong proof.
    case unauthorized
    /// An action that the role, the channel or an owner's rule does not allow.
    case forbidden
    /// A pairing that the owner ended, or whose time is over.
    case revoked
    /// A pairing attempt while no window is open.
    case pairingClosed = "pairing_closed"
    /// A wrong code, or a machine between device and hub.
    case pinWrong = "pin_wrong"
    /// Too many messages in a short time; `afterMs` says how long to wait.
    case rateLimited = "rate_limited"
    /// Too much work at once; the client waits for its unanswered commands.
    case busy
    /// Work that took too long.
    case timeout
    /// A mistake of the hub.
    case `internal`
    /// Work that is not possible at the moment, for example because the disk is full.
    case unavailable
    /// A source that answered with a failure.
    case sourceFailed = "source_failed"
    /// A command that arrived later than its `ttl` allows; it has no effect.
    case expired
    /// A command that a `cancel` or the end of its connection stopped.
    case cancelled
    /// An edit of a revision that is not the current one; `revision` is.
    case queueConflict = "queue_conflict"
    /// A position that is given by an entry which is not in the queue.
    case anchorGone = "anchor_gone"
    /// An entry that is not in the queue, or was removed from it.
    case gone
    /// A thing that does not exist, or that the client may not see.
    case notFound = "not_found"
    /// An action that does not fit the state, such as seeking while nothing is current.
    case invalidState = "invalid_state"
    /// A command or a feature that this hub knows and does not have.
    case unsupported
    /// More than one command or one answer may contain.
    case tooLarge = "too_large"
    /// More than a queue, a playlist or the hub may hold.
    case quota
    /// An `id` that is not greater than the one before on this connection.
    case idReuse = "id_reuse"
    /// A command key that was used for another command.
    case keyMismatch = "key_mismatch"

    /// Whether the same command may succeed later, unchanged.
    public var retry: Bool {
        switch self {
        case .rateLimited, .busy, .timeout, .internal, .unavailable, .sourceFailed: true
        default: false
        }
    }
}
