package import BatonSeams

/// The frames of a WebSocket that this program has opened: the message that arrives, those that wait to be sent, and the close.
///
/// A value of the handler of a `Socket`, which carries the bytes. libwebsockets masks a payload in place and writes in front of it, so each
/// message is a copy with room before it.
package struct WebSocketFrames {
    /// A message of this side.
    package struct Outgoing {
        /// The payload behind `Frame.headroom` bytes.
        package var bytes: [UInt8]
        package let isBinary: Bool
    }

    /// The state of a message after one more piece of it.
    package enum Arrival: Equatable {
        case part
        case whole([UInt8])
        case tooLong
    }

    private let messageLimit: Int
    private var message: [UInt8] = []
    private var outbox: [Outgoing] = []
    private var waiting: [CheckedContinuation<WebSocketEnding, Never>] = []
    /// Bytes of messages that wait to be sent.
    package private(set) var unsentBytes = 0
    /// The close that one side has asked for; messages after it are dropped.
    package private(set) var closing: WebSocketEnding?
    /// The way the connection ended; `nil` while it lasts.
    package private(set) var ending: WebSocketEnding?

    package init(messageLimit: Int) {
        self.messageLimit = messageLimit
    }

    package var isClosing: Bool { closing != nil || ending != nil }

    // MARK: Receiving

    /// Takes a piece of a message; `toCome` more bytes belong to its frame. A frame begins with its length, so a message that is too long is
    /// refused before all of it has arrived.
    package mutating func receive(_ piece: UnsafeRawBufferPointer, toCome: Int, isLast: Bool) -> Arrival {
        guard message.count + piece.count + toCome <= messageLimit else {
            message = []
            return .tooLong
        }
        unsafe message.append(contentsOf: piece)
        guard isLast else { return .part }
        let whole = message
        message = []
        return .whole(whole)
    }

    /// Takes the payload of the other side's close frame. `meaning` is what a code stands for.
    package mutating func heardClose(_ payload: UnsafeRawBufferPointer, meaning: (UInt16) -> UInt16 = { $0 }) {
        let code = unsafe payload.count >= 2 ? UInt16(payload[0]) << 8 | UInt16(payload[1]) : 1005
        lose(meaning(code), unsafe String(decoding: payload.dropFirst(2), as: UTF8.self))
    }

    /// Notes that the other side ends the connection, or is given up.
    package mutating func lose(_ code: UInt16, _ reason: String) {
        if closing == nil { closing = WebSocketEnding(code: code, reason: reason, byPeer: true) }
    }

    // MARK: Sending

    package mutating func add(_ payload: [UInt8], isBinary: Bool) {
        outbox.append(Outgoing(bytes: [UInt8](repeating: 0, count: Frame.headroom) + payload, isBinary: isBinary))
        unsentBytes += payload.count
    }

    /// Takes the next message to send.
    package mutating func takeNext() -> Outgoing? {
        guard !outbox.isEmpty else { return nil }
        let next = outbox.removeFirst()
        unsentBytes -= next.bytes.count - Frame.headroom
        return next
    }

    package var waitingMessages: Int { outbox.count }

    /// True if a message waits for room, or one side has asked for the close.
    package var wantsRoom: Bool { !outbox.isEmpty || closing != nil }

    // MARK: Closing

    /// Asks for a close frame after the waiting messages; false if one side has done so already.
    package mutating func close(_ code: UInt16, _ reason: String) -> Bool {
        guard !isClosing else { return false }
        closing = WebSocketEnding(code: code, reason: reason, byPeer: false)
        return true
    }

    /// The code and the reason of the close frame that this side owes.
    package var owedClose: (code: UInt16, reason: [UInt8])? {
        guard let closing, !closing.byPeer else { return nil }
        return (closing.code, Self.reasonBytes(closing.reason))
    }

    /// The bytes of a close frame's reason, cut between characters to the 123 for which a frame has room.
    package static func reasonBytes(_ reason: String) -> [UInt8] {
        var bytes = Array(reason.utf8.prefix(123))
        while !bytes.isEmpty, String(validating: bytes, as: UTF8.self) == nil { bytes.removeLast() }
        return bytes
    }

    /// Ends the connection; false if it had ended before.
    package mutating func end() -> Bool {
        guard ending == nil else { return false }
        let ending = closing ?? WebSocketEnding(code: 1006, reason: "The connection was lost.", byPeer: true)
        self.ending = ending
        outbox = []
        unsentBytes = 0
        for waiter in waiting { waiter.resume(returning: ending) }
        waiting = []
        return true
    }

    /// Answers `waiter` when the connection has ended.
    package mutating func tellEnd(_ waiter: CheckedContinuation<WebSocketEnding, Never>) {
        if let ending { waiter.resume(returning: ending) } else { waiting.append(waiter) }
    }
}
