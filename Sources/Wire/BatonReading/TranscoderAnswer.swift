/// An answer of `baton-transcoder`. The hub checks every bound again.
package enum TranscoderAnswer: Equatable, Sendable {
    case sound(EncodedSound)
    /// The source cannot be decoded. The stream continues with silence.
    case failed(ReaderFailure)

    private enum Verb: UInt8 {
        case sound = 1
        case failed
    }

    /// Limit of an answer. A minute at the highest rate takes 2.4 MB.
    package static let largest = 4 << 20

    package var frame: [UInt8] {
        switch self {
        case .sound(let sound):
            var writer = ByteWriter(frame: Verb.sound.rawValue)
            sound.write(to: &writer)
            return writer.frame
        case .failed(let failure):
            var writer = ByteWriter(frame: Verb.failed.rawValue)
            failure.write(to: &writer)
            return writer.frame
        }
    }

    /// Parses the bytes behind the frame's head.
    package init(_ bytes: [UInt8]) throws(MalformedMessage) {
        var reader = ByteReader(bytes)
        guard let verb = Verb(rawValue: try reader.number(UInt8.self)) else { throw MalformedMessage() }
        switch verb {
        case .sound: self = .sound(try EncodedSound(from: &reader))
        case .failed: self = .failed(try ReaderFailure(from: &reader))
        }
        try reader.end()
    }
}

/// Encoded sound in whole packets.
package struct EncodedSound: Equatable, Sendable {
    /// The bytes that continue the previous answer.
    package var bytes: [UInt8]
    /// The start of a new part of the stream after these bytes, which later listeners get first. Only Ogg has one.
    package var head: [UInt8]
    /// Position in the source that was decoded up to.
    package var atMs: UInt32
    /// True if the source has no more sound.
    package var hasEnded: Bool

    package init(_ bytes: [UInt8] = [], head: [UInt8] = [], atMs: UInt32 = 0, hasEnded: Bool = false) {
        self.bytes = bytes
        self.head = head
        self.atMs = atMs
        self.hasEnded = hasEnded
    }

    fileprivate func write(to writer: inout ByteWriter) {
        writer.put(bytes)
        writer.put(head)
        writer.put(atMs)
        writer.put(UInt8(hasEnded ? 1 : 0))
    }

    fileprivate init(from reader: inout ByteReader) throws(MalformedMessage) {
        bytes = try reader.data(most: TranscoderAnswer.largest)
        head = try reader.data(most: 65_536)
        atMs = try reader.number()
        hasEnded = try reader.number(UInt8.self, in: 0...1) == 1
    }
}
