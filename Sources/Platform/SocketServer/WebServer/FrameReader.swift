/// A parser for a client's WebSocket frames (RFC 6455, 5.2), for bytes in pieces of any size.
///
/// libwebsockets' own parser is not used, because it accepts unmasked frames and reports frames only at their end, so that neither could be
/// answered as the protocol requires. A value without a socket; a violation is thrown with the code for closing the connection.
struct FrameReader {
    enum Event: Equatable {
        case message([UInt8], isBinary: Bool)
        case ping([UInt8])
        case pong
        /// The peer's close code, which the answer repeats.
        case close(UInt16?)
    }

    /// A violation of the protocol, which ends the connection.
    struct Violation: Error, Equatable {
        let code: UInt16
        let sentence: String

        static func broken(_ sentence: String) -> Self { Self(code: 1002, sentence: sentence) }
    }

    private enum Opcode {
        static let continuation: UInt8 = 0
        static let text: UInt8 = 1
        static let binary: UInt8 = 2
        static let close: UInt8 = 8
        static let ping: UInt8 = 9
        static let pong: UInt8 = 10
    }

    /// True while messages are skipped because the connection is ending. Pings and the close frame are still handled.
    var skipsMessages = false

    // The frame's header as far as it has arrived, and its parts.
    private var header = InlineArray<14, UInt8>(repeating: 0)
    private var headerCount = 0
    private var mask: UInt32 = 0
    private var isInPayload = false
    /// Bytes of the payload that are still to come.
    private var left = 0
    /// The opcode of the current message; `nil` between messages.
    private var begun: UInt8?
    private var message: [UInt8] = []
    private var control: [UInt8] = []
    private var isBroken = false
    /// Number of frames that ended since the last count.
    private var frames = 0

    /// True inside a frame or message.
    var isInside: Bool { headerCount > 0 || begun != nil }

    private var opcode: UInt8 { header[0] & 0x0f }
    private var isFinal: Bool { header[0] & 0x80 != 0 }
    private var isControl: Bool { opcode >= Opcode.close }

    /// Number of frames that ended since the last call, including those without an event.
    mutating func takeFrames() -> Int {
        defer { frames = 0 }
        return frames
    }

    /// Takes bytes up to the end of the next message or control frame; `nil` if that has not arrived. After a broken frame the borders of
    /// frames are lost, so reading stops.
    mutating func next(
        from bytes: inout UnsafeRawBufferPointer.SubSequence, textLimit: Int, binaryLimit: Int
    ) throws(Violation) -> Event? {
        guard !isBroken else { return nil }
        do {
            return try unsafe find(in: &bytes, textLimit, binaryLimit)
        } catch {
            isBroken = error.code == 1002
            throw error
        }
    }

    private mutating func find(
        in bytes: inout UnsafeRawBufferPointer.SubSequence, _ textLimit: Int, _ binaryLimit: Int
    ) throws(Violation) -> Event? {
        while true {
            while !isInPayload {
                guard let byte = unsafe bytes.popFirst() else { return nil }
                header[headerCount] = byte
                headerCount += 1
                try checkHeader(textLimit, binaryLimit)
            }
            unsafe takePayload(from: &bytes)
            guard left == 0 else { return nil }
            isInPayload = false
            headerCount = 0
            frames += 1
            if let event = try endOfFrame() { return event }
        }
    }

    // MARK: Header

    /// Checks each part of the header as soon as it has arrived.
    private mutating func checkHeader(_ textLimit: Int, _ binaryLimit: Int) throws(Violation) {
        guard headerCount >= 2 else { return }
        if headerCount == 2 { try checkKind() }
        let lengthEnd = 2 + extraLengthBytes
        if headerCount == lengthEnd { try checkLength(textLimit, binaryLimit) }
        guard headerCount == lengthEnd + 4 else { return }
        mask = 0
        for index in 0..<4 { mask |= UInt32(header[lengthEnd + index]) << UInt32(8 * index) }
        isInPayload = true
    }

    private var extraLengthBytes: Int {
        switch header[1] & 0x7f {
        case 126: 2
        case 127: 8
        default: 0
        }
    }

    private mutating func checkKind() throws(Violation) {
        if header[0] & 0x70 != 0 { throw .broken("Reserved bits of a frame must be zero.") }
        if header[1] & 0x80 == 0 { throw .broken("Client frames must be masked.") }
        switch opcode {
        case Opcode.text, Opcode.binary:
            if begun != nil { throw .broken("A message began before the one before it had ended.") }
            begun = opcode
        case Opcode.continuation:
            if begun == nil { throw .broken("There is no message to be continued.") }
        case Opcode.close, Opcode.ping, Opcode.pong:
            if !isFinal || header[1] & 0x7f > 125 { throw .broken("A control frame has at most 125 bytes and comes in one piece.") }
        default: throw .broken("Opcode \(opcode) means nothing.")
        }
    }

    private mutating func checkLength(_ textLimit: Int, _ binaryLimit: Int) throws(Violation) {
        var length = UInt64(header[1] & 0x7f)
        if extraLengthBytes > 0 {
            length = 0
            for index in 2..<headerCount { length = length << 8 | UInt64(header[index]) }
        }
        guard let count = Int(exactly: length) else { throw .broken("A frame's length has 63 bits.") }
        left = count
        guard !isControl, !skipsMessages else { return }
        let limit = begun == Opcode.binary ? binaryLimit : textLimit
        guard count > limit - message.count else { return }
        // The rest is skipped, so that the peer's close frame is still found.
        skipsMessages = true
        message = []
        throw Violation(code: 1009, sentence: "A message may have at most \(limit) bytes.")
    }

    // MARK: Payload

    private mutating func takePayload(from bytes: inout UnsafeRawBufferPointer.SubSequence) {
        let count = unsafe min(left, bytes.count)
        if isControl {
            unsafe Self.append(bytes.prefix(count), unmaskedBy: &mask, to: &control)
        } else if !skipsMessages {
            unsafe Self.append(bytes.prefix(count), unmaskedBy: &mask, to: &message)
        }
        unsafe bytes = bytes.dropFirst(count)
        left -= count
    }

    /// Rotates the mask as it is used, so that it fits the next piece.
    private static func append(
        _ piece: UnsafeRawBufferPointer.SubSequence, unmaskedBy mask: inout UInt32, to bytes: inout [UInt8]
    ) {
        let start = bytes.count
        unsafe bytes.append(contentsOf: piece)
        for index in start..<bytes.count {
            bytes[index] ^= UInt8(truncatingIfNeeded: mask)
            mask = mask >> 8 | mask << 24
        }
    }

    private mutating func endOfFrame() throws(Violation) -> Event? {
        guard !isControl else { return try takeControl() }
        guard isFinal, let kind = begun else { return nil }
        begun = nil
        guard !skipsMessages else { return nil }
        let whole = message
        message = []
        if kind == Opcode.binary { return .message(whole, isBinary: true) }
        guard Self.isText(whole) else { throw Violation(code: 1007, sentence: "A text message must be UTF-8.") }
        return .message(whole, isBinary: false)
    }

    /// Most text is ASCII, for which this check is enough.
    private static func isText(_ bytes: [UInt8]) -> Bool {
        var union: UInt8 = 0
        for byte in bytes { union |= byte }
        return union < 0x80 || String(validating: bytes, as: UTF8.self) != nil
    }

    private mutating func takeControl() throws(Violation) -> Event {
        let payload = control
        control = []
        switch opcode {
        case Opcode.ping: return .ping(payload)
        case Opcode.pong: return .pong
        default: return .close(try Self.code(of: payload))
        }
    }

    /// Close codes that may be sent (RFC 6455, 7.4).
    private static func code(of payload: [UInt8]) throws(Violation) -> UInt16? {
        if payload.isEmpty { return nil }
        guard payload.count >= 2, isText(Array(payload.dropFirst(2))) else {
            throw .broken("A close frame begins with a code, and its reason is UTF-8.")
        }
        let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: return code
        default: throw .broken("The close code \(code) may not be sent.")
        }
    }
}
