import Glibc

/// Why a socket could not be opened, connected or used: a code to switch on, a sentence for people, and the
/// system's own error number.
package struct SocketsError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Code: Equatable, Sendable {
        /// The event loop could not be made; usually a package is missing.
        case loopUnavailable
        /// Another program holds the port or the socket.
        case taken
        /// The address is not one of this machine's, or cannot be understood.
        case addressUnavailable
        /// The system does not allow it.
        case forbidden
        /// No program listens there.
        case refused
        /// No such socket file or host.
        case notFound
        /// No answer in time.
        case timedOut
        /// The other side answered, and said no with this HTTP status.
        case rejected(status: Int)
        /// The other side has another key than the pinned one.
        case otherKey
        /// The connection is over.
        case closed
        /// More is waiting to be sent than may be kept.
        case overflow
        case failed
    }

    package var code: Code
    /// Says what was attempted, on what, and what can be done.
    package var sentence: String
    /// `errno`, where the system gave one.
    package var cause: Int32

    package init(_ code: Code, _ sentence: String, cause: Int32 = 0) {
        self.code = code
        self.sentence = sentence
        self.cause = cause
    }

    package var description: String { sentence }

    /// The code for an `errno` of connecting or binding.
    package static func code(for cause: Int32) -> Code {
        switch cause {
        case EADDRINUSE: .taken
        case EADDRNOTAVAIL, EAFNOSUPPORT, EINVAL: .addressUnavailable
        case EACCES, EPERM: .forbidden
        case ECONNREFUSED: .refused
        case ENOENT, EHOSTUNREACH, ENETUNREACH: .notFound
        case ETIMEDOUT: .timedOut
        default: .failed
        }
    }

    /// The system's own words for an `errno`.
    package static func words(for cause: Int32) -> String {
        unsafe strerror(cause).map { unsafe String(cString: $0) } ?? "error \(cause)"
    }
}
