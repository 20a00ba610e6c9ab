package import BatonReading
import CFFmpeg

/// Encodes stereo samples and packs them as a stream: Opus in Ogg, MP3, or AAC in ADTS.
///
/// libavcodec and libavformat work on the calling thread. What they write comes into `WrittenBytes` within the call that makes them write.
/// An Ogg stream is a chain: each title begins a part with headers of its own, as the format wants it, so the encoder begins anew as well.
@safe package final class SoundEncoder {
    private let format: EncodedFormat
    private var part: EncodedPart?

    package init(_ format: EncodedFormat) { self.format = format }

    /// What follows has another title. Gives what ends the sound before it, and what a listener gets first from here on.
    package func begin(title: String, artist: String) throws(ReaderFailure) -> (end: [UInt8], head: [UInt8]) {
        // The other containers know no titles, so their sound goes on without a break.
        guard part == nil || format.codec == .opus else { return ([], []) }
        let end = finish()
        let part = try EncodedPart(format, title: title, artist: artist)
        self.part = part
        return (end, part.takeBytes())
    }

    /// Left and right in turn. What does not fill a packet waits for the next samples.
    package func encode(_ samples: [Float]) -> [UInt8] {
        guard let part else { return [] }
        part.add(samples)
        return part.takeBytes()
    }

    /// What is still held. Nothing can be encoded before the next `begin`.
    package func finish() -> [UInt8] {
        guard let part else { return [] }
        self.part = nil
        part.finish()
        return part.takeBytes()
    }
}
