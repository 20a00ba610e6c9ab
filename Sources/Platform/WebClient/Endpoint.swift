import BatonClient
import BatonSeams
import EventLoop
import Glibc
import Threads

/// Resolution of a hub's endpoint to addresses that the system can open.
extension Endpoint {
    /// The value for the Host header.
    var host: String {
        if case .unix = self { "localhost" } else { description }
    }

    /// Addresses to try, in order. Names are resolved on a thread of their own, since the system's resolver blocks.
    func addresses() async throws(SocketsError) -> [Address] {
        switch self {
        case .unix(let path):
            guard let address = Address(unix: path) else {
                throw SocketsError(.addressUnavailable, "The socket path \(path) is too long: the system allows 107 bytes.")
            }
            return [address]
        case .tcp(let host, let port), .tls(let host, let port, _):
            if let address = Address(host, port) { return [address] }
            let found = await withCheckedContinuation { (answer: CheckedContinuation<[Address], Never>) in
                OwnThread.start { answer.resume(returning: Address.resolved(host, port)) }
            }
            if found.isEmpty { throw SocketsError(.notFound, "No machine called \(host) was found.") }
            return found
        }
    }

    /// The name or address without the port.
    var hostName: String {
        switch self {
        case .unix: "localhost"
        case .tcp(let host, _), .tls(let host, _, _): host
        }
    }

    /// The error if the other side's key differs from the pinned one; `nil` if they match or none is pinned.
    func fault(ofKey hash: [UInt8]?) -> SocketsError? {
        guard case .tls(_, _, let pin?) = self, hash != pin else { return nil }
        return SocketsError(
            .otherKey,
            "\(self) answers with another key than the hub this machine was paired with. Nothing was sent. "
                + "If the hub was set up anew, pair again: baton pair \(self)")
    }

    /// A network error for this endpoint, as a sentence.
    func error(_ cause: Int32) -> SocketsError {
        let sentence =
            switch cause {
            case ECONNREFUSED: "Nobody answers at \(self); is the hub running?"
            case ENOENT: "There is no socket \(self); is the hub running?"
            case EACCES, EPERM: "This user may not open \(self)."
            case ETIMEDOUT: "\(self) did not answer in time."
            case EHOSTUNREACH, ENETUNREACH: "There is no way to \(self) from here."
            default: "\(self) could not be reached: \(SocketsError.words(for: cause))."
            }
        return SocketsError(SocketsError.code(for: cause), sentence, cause: cause)
    }
}
