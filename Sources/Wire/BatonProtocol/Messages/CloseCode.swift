public import BatonCore

/// The reason for closing, as a code of the WebSocket close frame.
public enum CloseCode: UInt16, Sendable, CaseIterable {
    case normal = 1000
    /// The hub is stopping.
    case goingAway = 1001
    case protocolError = 1002
    case unacceptableData = 1003
    case notUTF8 = 1007
    case messageTooLong = 1009
    /// The hub starts again, or the device has another role.
    case restarting = 1012
    /// Too many connections, of all clients or of one device.
    case overloaded = 1013
    /// A malformed message, or one out of sequence before `welcome`.
    case malformed = 4400
    /// A client without a valid proof, which has to be paired.
    case notAuthenticated = 4401
    /// A device whose pairing was revoked or whose time is over.
    case revokedOrForbidden = 4403
    /// No major version that both sides support.
    case version = 4406
    /// A late `hello` or `auth`, or a message that was not complete in time.
    case tooSlowToArrive = 4408
    /// A newer session has the same `client.id` and `client.run`.
    case replaced = 4409
    /// A client that goes on sending after it was told to wait.
    case flooding = 4429
    /// A client that leaves the hub's messages unread for too long.
    case tooSlowToRead = 4430

    /// The client's next action. A code outside this table means a retry with backoff.
    public var advice: Advice {
        switch self {
        case .normal, .replaced, .malformed, .protocolError, .unacceptableData, .notUTF8, .messageTooLong: .stop
        case .notAuthenticated, .revokedOrForbidden: .pairAgain
        case .version: .update
        case .goingAway, .tooSlowToArrive: .retry(afterMs: 0)
        case .restarting: .retry(afterMs: 1000)
        case .overloaded: .retry(afterMs: 5000)
        case .flooding, .tooSlowToRead: .retry(afterMs: 10_000)
        }
    }

    /// The protocol's advice to the client.
    public enum Advice: Equatable, Sendable {
        /// Do not connect again without a person.
        case stop
        case pairAgain
        case update
        /// Connect again after this time, and with backoff after that.
        case retry(afterMs: Milliseconds)
    }
}
