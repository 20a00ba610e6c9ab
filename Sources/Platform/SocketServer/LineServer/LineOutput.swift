import Glibc

/// The bytes of one connection that wait to be sent.
struct LineOutput {
    /// The result of a call of `send`.
    enum Progress: Equatable {
        case all
        /// The kernel accepts no more for now; `hasMoved` if it accepted some.
        case part(hasMoved: Bool)
        case broken
    }

    private var bytes: [UInt8] = []
    private var sent = 0

    /// Number of waiting bytes.
    var count: Int { bytes.count - sent }

    mutating func append(_ more: [UInt8]) {
        if count == 0 {
            bytes = more
            sent = 0
        } else {
            bytes.append(contentsOf: more)
        }
    }

    mutating func clear() {
        bytes = []
        sent = 0
    }

    /// Sends as much as the kernel accepts.
    mutating func send(to descriptor: Int32) -> Progress {
        var hasMoved = false
        while count > 0 {
            let taken = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress.map { unsafe $0 + sent }, count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
            }
            if taken > 0 {
                sent += taken
                hasMoved = true
            } else if errno == EAGAIN {
                dropSent()
                return .part(hasMoved: hasMoved)
            } else if errno != EINTR {
                return .broken
            }
        }
        clear()
        return .all
    }

    /// Frees sent bytes once they are the larger part, so that a long answer is not moved for each piece.
    private mutating func dropSent() {
        guard sent > bytes.count / 2 else { return }
        bytes.removeFirst(sent)
        sent = 0
    }
}
