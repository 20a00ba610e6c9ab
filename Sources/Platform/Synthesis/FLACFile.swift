import CFLAC
import Glibc

/// A FLAC file with tags and a cover, written by libFLAC.
///
/// libFLAC closes the C stream that it gets, so it gets a copy of the descriptor. Encoder and metadata are allocated here and freed when
/// `write` returns. The bytes depend only on the sound, the tags and libFLAC's version.
package struct FLACFile {
    package var tags: [(String, String)]
    /// A square PNG, and its side in pixels.
    package var cover: [UInt8]
    package var coverEdge: Int

    package init(tags: [(String, String)], cover: [UInt8], coverEdge: Int) {
        self.tags = tags
        self.cover = cover
        self.coverEdge = coverEdge
    }

    /// Writes a composed piece to an empty file that is open for reading and writing.
    package func write(_ master: Mastering, to file: Int32) throws(SynthesisFault) {
        try encode(SampleFormat(channels: 2, bits: 16, rate: master.rate), to: file) { put throws(SynthesisFault) in
            var isWritten = true
            var rounding = Rounding()
            unsafe master.eachBlock { samples in
                if isWritten { isWritten = unsafe put(rounding.numbers(samples)) }
            }
            if !isWritten { throw SynthesisFault.disk }
        }
    }

    /// Writes the samples of a WAV file unchanged.
    package func write(_ wav: WAVFile, to file: Int32) throws(SynthesisFault) {
        try encode(wav.format, to: file) { put throws(SynthesisFault) in
            try wav.eachBlock { samples throws(SynthesisFault) in if !put(samples) { throw SynthesisFault.disk } }
        }
    }

    /// `feed` passes on interleaved samples until `put` reports that the disk is full.
    private func encode(
        _ format: SampleFormat, to file: Int32, _ feed: (_ put: ([Int32]) -> Bool) throws(SynthesisFault) -> Void
    ) throws(SynthesisFault) {
        guard let encoder = unsafe FLAC__stream_encoder_new() else { throw SynthesisFault("libFLAC did not start: no memory.") }
        defer { unsafe FLAC__stream_encoder_delete(encoder) }
        guard let comments = unsafe comments(), let picture = unsafe picture() else { throw SynthesisFault("No memory for the tags.") }
        defer {
            unsafe FLAC__metadata_object_delete(comments)
            unsafe FLAC__metadata_object_delete(picture)
        }
        var metadata = unsafe [Optional(comments), Optional(picture)]
        unsafe FLAC__stream_encoder_set_channels(encoder, UInt32(format.channels))
        unsafe FLAC__stream_encoder_set_bits_per_sample(encoder, UInt32(format.bits))
        unsafe FLAC__stream_encoder_set_sample_rate(encoder, UInt32(format.rate))
        unsafe FLAC__stream_encoder_set_compression_level(encoder, 4)
        unsafe FLAC__stream_encoder_set_metadata(encoder, &metadata, 2)
        guard let stream = unsafe fdopen(dup(file), "w+b") else { throw SynthesisFault.disk }
        guard unsafe FLAC__stream_encoder_init_FILE(encoder, stream, nil, nil) == FLAC__STREAM_ENCODER_INIT_STATUS_OK else {
            throw SynthesisFault.disk
        }
        try feed { samples in
            unsafe FLAC__stream_encoder_process_interleaved(encoder, samples, UInt32(samples.count / format.channels)) != 0
        }
        guard unsafe FLAC__stream_encoder_finish(encoder) != 0 else { throw SynthesisFault.disk }
    }

    private func comments() -> UnsafeMutablePointer<FLAC__StreamMetadata>? {
        guard let block = unsafe FLAC__metadata_object_new(FLAC__METADATA_TYPE_VORBIS_COMMENT) else { return nil }
        for (name, value) in tags {
            var entry = unsafe FLAC__StreamMetadata_VorbisComment_Entry()
            guard unsafe FLAC__metadata_object_vorbiscomment_entry_from_name_value_pair(&entry, name, value) != 0 else { continue }
            unsafe FLAC__metadata_object_vorbiscomment_append_comment(block, entry, 0)
        }
        return unsafe block
    }

    private func picture() -> UnsafeMutablePointer<FLAC__StreamMetadata>? {
        guard let block = unsafe FLAC__metadata_object_new(FLAC__METADATA_TYPE_PICTURE) else { return nil }
        unsafe block.pointee.data.picture.type = FLAC__STREAM_METADATA_PICTURE_TYPE_FRONT_COVER
        // The last argument makes libFLAC copy the text, which is valid only for the call.
        unsafe "image/png".withCString {
            _ = unsafe FLAC__metadata_object_picture_set_mime_type(block, UnsafeMutablePointer(mutating: $0), 1)
        }
        var bytes = cover
        unsafe FLAC__metadata_object_picture_set_data(block, &bytes, UInt32(bytes.count), 1)
        unsafe block.pointee.data.picture.width = UInt32(coverEdge)
        unsafe block.pointee.data.picture.height = UInt32(coverEdge)
        unsafe block.pointee.data.picture.depth = 24
        return unsafe block
    }
}

/// Rounds floating point samples to 16 bits, with a little noise so that quiet tones do not turn into steps. The noise is the same each
/// time.
private struct Rounding {
    private var state: UInt32 = 0x9E37_79B9

    mutating func numbers(_ samples: UnsafeBufferPointer<Float>) -> [FLAC__int32] {
        var numbers = [FLAC__int32](repeating: 0, count: samples.count)
        for at in samples.indices {
            let value = (unsafe samples[at]) * 32_767 + noise()
            numbers[at] = FLAC__int32(max(-32_768, min(32_767, value.rounded())))
        }
        return numbers
    }

    /// Triangular noise from two steps of xorshift, up to one 16-bit step in each direction.
    private mutating func noise() -> Float { (next() + next() - 1) * 0.9 }

    private mutating func next() -> Float {
        state ^= state << 13
        state ^= state >> 17
        state ^= state << 5
        return Float(state >> 8) / Float(1 << 24)
    }
}

extension SynthesisFault {
    /// A failed write to an open file, which has no other reason than the disk.
    package static let disk = SynthesisFault(
        "The piece could not be written: the disk of the job's folder is full or not writable.", isForNow: true)
}
