package import BatonReading
import CFFmpeg

/// Searches a file for silences, piece by piece.
///
/// Each hundredth of a second counts as silent by its mean power over all channels. A packet that cannot be decoded counts as sound.
@safe package final class SilenceSearch {
    private let sound: SoundFrames
    private let beginUs: Int64
    private var blocks = SilentBlocks()

    package init(_ file: OpenFile, named name: String) throws(ReaderFailure) {
        sound = try SoundFrames(file, named: name)
        let beginUs = unsafe sound.media.context.pointee.start_time
        self.beginUs = beginUs == cffmpeg_no_time() ? 0 : beginUs
    }

    /// The next piece.
    package func next() -> SilencesFound {
        let until = blocks.atMs + Int(SilencesFound.pieceMs)
        while !sound.isAtEnd, blocks.atMs < until, !blocks.isFull { sound.readPacket(add) }
        if sound.isAtEnd { blocks.end() }
        return SilencesFound(blocks.take(), untilMs: UInt32(clamping: blocks.atMs), beginUs: beginUs, isLast: sound.isAtEnd)
    }

    private func add() {
        let stamp = unsafe sound.frame.raw.pointee.best_effort_timestamp
        var atMs: Int?
        if stamp != cffmpeg_no_time() {
            let microseconds = AVRational(num: 1, den: 1_000_000)
            atMs = unsafe Int((av_rescale_q(stamp, sound.stream.pointee.time_base, microseconds) - beginUs) / 1000)
        }
        blocks.begin(rate: unsafe Int(sound.frame.raw.pointee.sample_rate), atMs: atMs)
        addSamples()
    }

    private func addSamples() {
        let raw = unsafe sound.frame.raw.pointee
        let (count, channels) = unsafe (Int(raw.nb_samples), Int(raw.ch_layout.nb_channels))
        guard count > 0, channels > 0 else { return }
        let format = unsafe AVSampleFormat(rawValue: raw.format)
        let isPlanar = av_sample_fmt_is_planar(format) != 0
        // The loudest channel counts, since one may be silent while another contains speech.
        var power = [Float](repeating: 0, count: count)
        for channel in 0..<channels {
            guard let plane = unsafe raw.extended_data?[isPlanar ? channel : 0] else { continue }
            let (first, step) = isPlanar ? (0, 1) : (channel, channels)
            switch av_get_packed_sample_fmt(format) {
            case AV_SAMPLE_FMT_U8: unsafe add(plane, from: first, step: step, to: &power) { (sample: UInt8) in (Float(sample) - 128) / 128 }
            case AV_SAMPLE_FMT_S16: unsafe add(plane, from: first, step: step, to: &power) { (sample: Int16) in Float(sample) / 32_768 }
            case AV_SAMPLE_FMT_S32:
                unsafe add(plane, from: first, step: step, to: &power) { (sample: Int32) in Float(sample) / 2_147_483_648 }
            case AV_SAMPLE_FMT_FLT: unsafe add(plane, from: first, step: step, to: &power) { (sample: Float) in sample }
            case AV_SAMPLE_FMT_DBL: unsafe add(plane, from: first, step: step, to: &power) { (sample: Double) in Float(sample) }
            // Unknown sample formats count as sound.
            default: for index in power.indices { power[index] = 1 }
            }
        }
        blocks.add(power)
    }

    private func add<Sample>(
        _ plane: UnsafeMutablePointer<UInt8>, from first: Int, step: Int, to power: inout [Float], value: (Sample) -> Float
    ) {
        let samples = unsafe UnsafeRawPointer(plane).assumingMemoryBound(to: Sample.self)
        for index in power.indices {
            let sample = unsafe value(samples[first + index * step])
            power[index] = max(power[index], sample * sample)
        }
    }
}
