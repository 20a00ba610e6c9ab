import Glibc

/// The reason why a socket could not be opened, connected or used: a code, a sentence for people, and the system's error number.
package struct SocketsError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Code: Equatable, Sendable {
        /// The event loop could not be created; usually a package is missing.
        case loopUnavailable
        /// Another program uses the port or the socket.
        case taken
        /// The address is not one of this machine's, or is invalid.
        case addressUnavailable
        /// The system does not allow it.
        case forbidden
        /// No program listens there.
        case refused
        /// No such socket file or host.
        case notFound
        /// No answer in time.
        case timedOut
        /// Refused by the other side with this HTTP status.
        case rejected(status: Int)
        /// A different key from the pinned one.
        case otherKey
        /// The connection is over.
        case closed
        /// More bytes wait to be sent than the limit allows.
        case overflow
        case failed
    }

    package var code: Code
    /// The attempted action, its target, and a remedy.
    package var sentence: String
    /// `errno`, if the system set one.
    package var cause: Int32

    package init(_ code: Code, _ sentence: String, cause: Int32 = 0) {
        self.code = code
        self.sentence = sentence
        self.cause = cause
    }

    package var description: String { sentence }

    /// The code for an `errno` of `connect` or `bind`.
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

    /// The system's text for an `errno`.
    package static func words(for cause: Int32) -> String {
        unsafe strerror(cause).map { unsafe String(cString: $0) } ?? "error \(cause)"
    }
}
