package import BatonReading
import CFFmpeg

/// The sound of one file from a position on, as interleaved stereo samples at `EncodedFormat.sampleRate`.
///
/// libswresample runs on the calling thread, and its context lives as long as this object. The position is exact if the file has time
/// stamps.
@safe package final class SoundDecoder {
    private let sound: SoundFrames
    private var resampler: OpaquePointer?
    private var resampled = Kind()
    private var pending: [Float] = []
    /// Samples of `pending` that were returned.
    private var taken = 0
    private let fromMs: Int
    private var untilFrames: Int
    private var givenFrames = 0
    /// True until the first frame, which shows how much decoded sound is before the requested position and dropped.
    private var isBeforeStart = true
    private var dropped = 0

    /// The input format of the resampler. It may change within a file.
    private struct Kind: Equatable {
        var format: Int32 = -1
        var rate: Int32 = 0
        var channels: Int32 = 0
    }

    private static let rate = Int32(EncodedFormat.sampleRate)
    /// Limit for dropped sound. If the first frame after a seek is further before the position, playback begins at that frame.
    private static let mostDropped = 60 * EncodedFormat.sampleRate

    package init(_ file: OpenFile, named name: String, fromMs: Int = 0, untilMs: Int? = nil) throws(ReaderFailure) {
        sound = try SoundFrames(file, named: name)
        unsafe sound.codec?.pointee.pkt_timebase = sound.stream.pointee.time_base
        self.fromMs = fromMs
        untilFrames = untilMs.map { max(0, $0 - fromMs) * EncodedFormat.sampleRate / 1000 } ?? .max
        if fromMs > 0 { seek() }
    }

    deinit { unsafe swr_free(&resampler) }

    /// Position up to which sound was returned.
    package var atMs: Int { fromMs + givenFrames * 1000 / EncodedFormat.sampleRate }

    /// True if more sound may come after the current end.
    package var isGrowing: Bool { sound.media.file.isGrowing }

    /// At most `frames` frames of two samples. There are fewer only at the end, and if a growing file has no more at the moment.
    package func next(frames: Int) -> [Float] {
        let wanted = min(frames, untilFrames - givenFrames)
        while !sound.isAtEnd, pending.count - taken < wanted * 2 {
            sound.readPacket(takeFrame)
            if sound.isStarved { break }
            if sound.isAtEnd { drain() }
        }
        let count = min(wanted * 2, pending.count - taken) / 2 * 2
        let result = Array(pending[taken..<taken + count])
        taken += count
        if taken == pending.count || taken > 1 << 18 {
            pending.removeFirst(taken)
            taken = 0
        }
        givenFrames += count / 2
        return result
    }

    // MARK: The file

    /// Seeks to the last place before the position from which the file can be decoded.
    private func seek() {
        let microseconds = AVRational(num: 1, den: 1_000_000)
        let begin = unsafe sound.stream.pointee.start_time == cffmpeg_no_time() ? 0 : sound.stream.pointee.start_time
        let target = unsafe begin + av_rescale_q(Int64(fromMs) * 1000, microseconds, sound.stream.pointee.time_base)
        guard unsafe av_seek_frame(sound.media.context, sound.stream.pointee.index, target, AVSEEK_FLAG_BACKWARD) >= 0 else { return }
        unsafe avcodec_flush_buffers(sound.codec)
    }

    private func takeFrame() {
        if isBeforeStart { findStart() }
        resample()
    }

    /// Computes from the first frame how much of the following sound is before the position.
    private func findStart() {
        isBeforeStart = false
        let stamp = unsafe sound.frame.raw.pointee.best_effort_timestamp
        guard fromMs > 0, stamp != cffmpeg_no_time() else { return }
        let begin = unsafe sound.stream.pointee.start_time == cffmpeg_no_time() ? 0 : sound.stream.pointee.start_time
        let milliseconds = AVRational(num: 1, den: 1000)
        let atMs = unsafe Int(clamping: av_rescale_q(stamp - begin, sound.stream.pointee.time_base, milliseconds))
        let early = max(0, min(fromMs - atMs, 1 << 30)) * EncodedFormat.sampleRate / 1000
        dropped = early > Self.mostDropped ? 0 : early * 2
    }

    // MARK: Samples

    private func resample() {
        let raw = unsafe sound.frame.raw.pointee
        let kind = unsafe Kind(format: raw.format, rate: raw.sample_rate, channels: raw.ch_layout.nb_channels)
        guard unsafe raw.nb_samples > 0, (1...1_000_000).contains(kind.rate), (1...64).contains(kind.channels) else { return }
        if kind != resampled { makeResampler(kind) }
        guard let resampler = unsafe resampler, let planes = unsafe raw.extended_data else { return }
        let input = unsafe UnsafeMutableRawPointer(planes).assumingMemoryBound(to: UnsafePointer<UInt8>?.self)
        unsafe convert(with: resampler, input, count: raw.nb_samples)
    }

    /// Takes the rest from the resampler.
    private func drain() {
        guard let resampler = unsafe resampler else { return }
        unsafe convert(with: resampler, nil, count: 0)
    }

    private func convert(with resampler: OpaquePointer, _ input: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, count: Int32) {
        let most = unsafe swr_get_out_samples(resampler, count)
        guard most > 0 else { return }
        let samples = unsafe [Float](unsafeUninitializedCapacity: Int(most) * 2) { buffer, written in
            var output = unsafe UnsafeMutableRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: UInt8.self)
            let converted = unsafe swr_convert(resampler, &output, most, input, count)
            written = Int(max(0, converted)) * 2
        }
        let skipped = min(dropped, samples.count)
        dropped -= skipped
        pending += samples[skipped...]
    }

    private func makeResampler(_ kind: Kind) {
        unsafe swr_free(&resampler)
        resampled = kind
        var stereo = unsafe AVChannelLayout()
        unsafe av_channel_layout_default(&stereo, 2)
        var layout = unsafe AVChannelLayout()
        // A file may state its channels without their layout.
        if unsafe sound.frame.raw.pointee.ch_layout.order == AV_CHANNEL_ORDER_UNSPEC {
            unsafe av_channel_layout_default(&layout, kind.channels)
        } else {
            unsafe av_channel_layout_copy(&layout, &sound.frame.raw.pointee.ch_layout)
        }
        defer { unsafe av_channel_layout_uninit(&layout) }
        let status = unsafe swr_alloc_set_opts2(
            &resampler, &stereo, AV_SAMPLE_FMT_FLT, Self.rate, &layout, AVSampleFormat(rawValue: kind.format), kind.rate, 0, nil)
        if unsafe status < 0 || swr_init(resampler) < 0 { unsafe swr_free(&resampler) }
    }
}
