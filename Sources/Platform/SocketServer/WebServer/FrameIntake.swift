import BatonCore
import BatonSeams
import EventLoop

/// The frames that a peer sends: how they are read, and how many are accepted. A value.
struct FrameIntake {
    private var reader = FrameReader()
    private var meter: FrameMeter

    init(_ allowance: FrameAllowance, atUs nowUs: Microseconds) { meter = FrameMeter(allowance, atUs: nowUs) }

    /// True while a message is incomplete.
    var isInsideMessage: Bool { reader.isInside }

    /// The next event in these bytes, which are removed.
    mutating func next(
        from bytes: inout UnsafeRawBufferPointer.SubSequence, within bounds: LinkBounds
    ) throws(FrameReader.Violation) -> FrameReader.Event? {
        try unsafe reader.next(from: &bytes, textLimit: bounds.textBytes, binaryLimit: bounds.binaryBytes)
    }

    /// Drops the messages that still come, because the connection is closing.
    mutating func skipMessages() { reader.skipsMessages = true }

    /// Forgets an incomplete message.
    mutating func end() { reader = FrameReader() }

    mutating func allow(_ allowance: FrameAllowance, atUs nowUs: Microseconds) {
        if allowance != meter.allowance { meter = FrameMeter(allowance, atUs: nowUs) }
    }

    /// Charges one read, and the frames in it.
    mutating func charge(bytes: Int, atUs nowUs: Microseconds, moreWaits: @autoclosure () -> Bool) -> FrameMeter.Verdict {
        meter.charge(frames: reader.takeFrames(), bytes: bytes, atUs: nowUs, moreWaits: moreWaits())
    }
}

/// Frames that this side owes the peer, until there is room for them. A value.
struct OwedFrames {
    /// The payload of the last ping.
    private(set) var pong: [UInt8]?
    /// The payload of the close frame.
    private(set) var closing: [UInt8]?
    /// True if the owner waits to write.
    private(set) var wantsWritable = false

    mutating func owePong(_ payload: [UInt8]) { pong = payload }
    mutating func sentPong() { pong = nil }

    /// Owes a close frame, which has room for 123 bytes of reason.
    mutating func oweClosing(_ code: UInt16, _ reason: String) {
        closing = [UInt8(code >> 8), UInt8(code & 255)] + WebSocketFrames.reasonBytes(reason)
    }

    mutating func sentClosing() { closing = nil }

    mutating func wantWritable() { wantsWritable = true }
    mutating func ownerTold() { wantsWritable = false }
}

/// Bytes that are read after the end was decided. A value.
struct Drain {
    private var bytes = 0
    /// True once reading has stopped.
    private(set) var isDeaf = false

    /// Lets this many bytes more be read.
    mutating func allow(_ more: Int) { bytes = -more }

    /// Counts bytes; true if they are more than `most`.
    mutating func take(_ count: Int, most: Int) -> Bool {
        bytes += count
        return bytes > most
    }

    mutating func stop() { isDeaf = true }
}
