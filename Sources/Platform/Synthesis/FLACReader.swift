import CFLAC
import Glibc

/// A FLAC file with the sound of a loop, read by libFLAC.
///
/// The file is opened in `init`, since a confined program cannot open files later; the rest is read on demand, on the calling thread.
/// libFLAC owns the C stream that it gets. Decoder and file are created in `init` and freed in `deinit`.
@safe package final class FLACReader {
    private let decoder: UnsafeMutablePointer<FLAC__StreamDecoder>
    private var sound: Sound?
    private var done = 0
    /// The rate from the head. The decoder itself reports it only from the first frame on.
    private var rate = 0
    private let path: String

    package init(_ path: String) throws(SynthesisFault) {
        guard let decoder = unsafe FLAC__stream_decoder_new() else { throw SynthesisFault("libFLAC did not start: no memory.") }
        unsafe self.decoder = decoder
        self.path = path
        guard let file = unsafe fopen(path, "rbe") else {
            throw SynthesisFault("The loop \"\(path)\" cannot be read: \(unsafe String(cString: strerror(errno))).")
        }
        let own = unsafe Unmanaged.passUnretained(self).toOpaque()
        let status = unsafe FLAC__stream_decoder_init_FILE(
            decoder, file,
            { _, frame, channels, own in
                guard let frame = unsafe frame, let channels = unsafe channels, let own = unsafe own else {
                    return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT
                }
                let reader = unsafe Unmanaged<FLACReader>.fromOpaque(own).takeUnretainedValue()
                return unsafe reader.take(frame, channels)
                    ? FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE : FLAC__STREAM_DECODER_WRITE_STATUS_ABORT
            },
            { _, metadata, own in
                guard let metadata = unsafe metadata, let own = unsafe own, unsafe metadata.pointee.type == FLAC__METADATA_TYPE_STREAMINFO
                else { return }
                let reader = unsafe Unmanaged<FLACReader>.fromOpaque(own).takeUnretainedValue()
                unsafe reader.rate = Int(metadata.pointee.data.stream_info.sample_rate)
            }, { _, _, _ in }, own)
        guard status == FLAC__STREAM_DECODER_INIT_STATUS_OK else {
            unsafe fclose(file)
            throw broken
        }
    }

    deinit { unsafe FLAC__stream_decoder_delete(decoder) }

    /// The head of a file.
    package struct Head: Equatable {
        package var frames: Int
        /// Frames a second.
        package var rate: Int

        /// Usual rates of music. Others would need more memory than a job has.
        fileprivate static let rates = 8_000...96_000
    }

    package func head() throws(SynthesisFault) -> Head {
        guard unsafe FLAC__stream_decoder_process_until_end_of_metadata(decoder) != 0,
            let frames = unsafe Int(exactly: FLAC__stream_decoder_get_total_samples(decoder)), frames > 0
        else { throw broken }
        guard Head.rates.contains(rate) else { throw broken }
        return Head(frames: frames, rate: rate)
    }

    /// The whole sound; its head must have been read.
    package func read(_ head: Head) throws(SynthesisFault) -> Sound {
        let sound = Sound(frames: head.frames, rate: head.rate)
        self.sound = sound
        done = 0
        defer { self.sound = nil }
        guard unsafe FLAC__stream_decoder_process_until_end_of_stream(decoder) != 0, done == head.frames else { throw broken }
        return sound
    }

    private var broken: SynthesisFault { SynthesisFault("\"\(path)\" is no whole loop.") }

    /// False if the frames contradict the head.
    private func take(_ frame: UnsafePointer<FLAC__Frame>, _ channels: UnsafePointer<UnsafePointer<FLAC__int32>?>) -> Bool {
        let head = unsafe frame.pointee.header
        let count = Int(head.blocksize)
        guard let sound, head.sample_rate == UInt32(sound.rate), done + count <= sound.frames, let left = unsafe channels[0] else {
            return false
        }
        // A mono sound is played on both sides.
        let right = unsafe head.channels > 1 ? channels[1] ?? left : left
        let scale = 1 / Float(1 << (Int(head.bits_per_sample) - 1))
        for at in 0..<count {
            unsafe sound.samples[(done + at) * 2] = Float(left[at]) * scale
            unsafe sound.samples[(done + at) * 2 + 1] = Float(right[at]) * scale
        }
        done += count
        return true
    }
}
