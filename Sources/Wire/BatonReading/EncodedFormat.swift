/// The codec of encoded sound, which determines the container: Ogg for Opus, none for MP3, ADTS for AAC.
package struct EncodedFormat: Equatable, Sendable {
    package enum Codec: UInt8, Sendable, CaseIterable {
        case opus = 1
        case mp3, aac
    }

    package var codec: Codec
    /// Kilobits a second, over both channels.
    package var kilobits: Int

    package static let rates = 32...320
    /// All sound is encoded in stereo at this rate, which all three codecs support.
    package static let sampleRate = 48_000

    package init(_ codec: Codec, kilobits: Int) {
        self.codec = codec
        self.kilobits = kilobits
    }

    func write(to writer: inout ByteWriter) {
        writer.put(codec.rawValue)
        writer.put(UInt16(clamping: kilobits))
    }

    init(from reader: inout ByteReader) throws(MalformedMessage) {
        guard let codec = Codec(rawValue: try reader.number(UInt8.self)) else { throw MalformedMessage() }
        let rates = UInt16(Self.rates.lowerBound)...UInt16(Self.rates.upperBound)
        self.init(codec, kilobits: Int(try reader.number(UInt16.self, in: rates)))
    }
}
