package import BatonReading
import CFFmpeg

/// Encodes stereo samples and packs them as a stream: Opus in Ogg, MP3, or AAC in ADTS.
///
/// libavcodec and libavformat run on the calling thread, and write to `WrittenBytes` within calls. An Ogg stream is a chain: the format
/// requires headers for each title, so the encoder restarts as well.
@safe package final class SoundEncoder {
    private let format: EncodedFormat
    private var part: EncodedPart?

    package init(_ format: EncodedFormat) { self.format = format }

    /// Starts the sound of another title. Returns the end of the sound before it, and the head for listeners who join from here on.
    package func begin(title: String, artist: String) throws(ReaderFailure) -> (end: [UInt8], head: [UInt8]) {
        // Other containers have no titles, so their sound continues without a break.
        guard part == nil || format.codec == .opus else { return ([], []) }
        let end = finish()
        let part = try EncodedPart(format, title: title, artist: artist)
        self.part = part
        return (end, part.takeBytes())
    }

    /// Encodes samples, left and right in turn. The rest that does not fill a packet waits for the next samples.
    package func encode(_ samples: [Float]) -> [UInt8] {
        guard let part else { return [] }
        part.add(samples)
        return part.takeBytes()
    }

    /// The last bytes. Encoding can continue only after the next `begin`.
    package func finish() -> [UInt8] {
        guard let part else { return [] }
        self.part = nil
        part.finish()
        return part.takeBytes()
    }
}
