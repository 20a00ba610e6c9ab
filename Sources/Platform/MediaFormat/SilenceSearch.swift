package import BatonReading
import CFFmpeg

/// Looks through a file for silences, piece by piece.
///
/// libavcodec works on the calling thread; its context and the frame live as long as this. Each hundredth of a second is silent or not by its
/// mean power, over all channels. A packet that cannot be decoded is passed over, as players do, and counts as sound.
@safe package final class SilenceSearch {
    private let media: MediaFile
    private let stream: UnsafeMutablePointer<AVStream>
    private var codec: UnsafeMutablePointer<AVCodecContext>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    private let frame: Frame
    private let beginUs: Int64
    private var blocks = SilentBlocks()
    private var isAtEnd = false

    package init(_ file: OpenFile, named name: String) throws(ReaderFailure) {
        file.allowMore()
        media = try MediaFile.open(file, named: name)
        unsafe avformat_find_stream_info(media.context, nil)
        guard let sound = unsafe media.sound else { throw ReaderFailure(.notSound) }
        unsafe stream = sound
        unsafe beginUs = media.context.pointee.start_time == cffmpeg_no_time() ? 0 : media.context.pointee.start_time
        frame = try Frame()
        let streams = unsafe media.streams
        for index in unsafe streams.indices where unsafe streams[index] != sound { unsafe streams[index].pointee.discard = AVDISCARD_ALL }
        guard let decoder = unsafe avcodec_find_decoder(sound.pointee.codecpar.pointee.codec_id) else { throw ReaderFailure(.notSound) }
        unsafe codec = avcodec_alloc_context3(decoder)
        unsafe packet = av_packet_alloc()
        guard let codec = unsafe codec, unsafe packet != nil else { throw ReaderFailure(.noMemory) }
        unsafe codec.pointee.thread_count = 1
        guard unsafe avcodec_parameters_to_context(codec, sound.pointee.codecpar) >= 0, unsafe avcodec_open2(codec, decoder, nil) >= 0
        else { throw ReaderFailure(.notSound) }
    }

    deinit {
        unsafe av_packet_free(&packet)
        unsafe avcodec_free_context(&codec)
    }

    /// The next piece.
    package func next() -> SilencesFound {
        let until = blocks.atMs + Int(SilencesFound.pieceMs)
        while !isAtEnd, blocks.atMs < until, !blocks.isFull { readPacket() }
        if isAtEnd { blocks.end() }
        return SilencesFound(blocks.take(), untilMs: UInt32(clamping: blocks.atMs), beginUs: beginUs, isLast: isAtEnd)
    }

    private func readPacket() {
        // Two minutes of sound in many channels may be larger than what is allowed for tags; the hub's patience bounds the whole.
        media.file.allowMore()
        guard unsafe av_read_frame(media.context, packet) >= 0 else {
            isAtEnd = true
            unsafe avcodec_send_packet(codec, nil)
            return receive()
        }
        defer { unsafe av_packet_unref(packet) }
        guard unsafe packet?.pointee.stream_index == stream.pointee.index else { return }
        if unsafe avcodec_send_packet(codec, packet) >= 0 { receive() }
    }

    private func receive() {
        while unsafe avcodec_receive_frame(codec, frame.raw) >= 0 {
            let stamp = unsafe frame.raw.pointee.best_effort_timestamp
            var atMs: Int?
            if stamp != cffmpeg_no_time() {
                let microseconds = AVRational(num: 1, den: 1_000_000)
                atMs = unsafe Int((av_rescale_q(stamp, stream.pointee.time_base, microseconds) - beginUs) / 1000)
            }
            blocks.begin(rate: unsafe Int(frame.raw.pointee.sample_rate), atMs: atMs)
            addSamples()
        }
    }

    private func addSamples() {
        let raw = unsafe frame.raw.pointee
        let (count, channels) = unsafe (Int(raw.nb_samples), Int(raw.ch_layout.nb_channels))
        guard count > 0, channels > 0 else { return }
        let format = unsafe AVSampleFormat(rawValue: raw.format)
        let isPlanar = av_sample_fmt_is_planar(format) != 0
        // A second of silence in one channel may be speech in another; so the loudest of them counts.
        var power = [Float](repeating: 0, count: count)
        for channel in 0..<channels {
            guard let plane = unsafe raw.extended_data?[isPlanar ? channel : 0] else { continue }
            let (first, step) = isPlanar ? (0, 1) : (channel, channels)
            switch av_get_packed_sample_fmt(format) {
            case AV_SAMPLE_FMT_U8: unsafe add(plane, first, step, &power) { (sample: UInt8) in (Float(sample) - 128) / 128 }
            case AV_SAMPLE_FMT_S16: unsafe add(plane, first, step, &power) { (sample: Int16) in Float(sample) / 32_768 }
            case AV_SAMPLE_FMT_S32: unsafe add(plane, first, step, &power) { (sample: Int32) in Float(sample) / 2_147_483_648 }
            case AV_SAMPLE_FMT_FLT: unsafe add(plane, first, step, &power) { (sample: Float) in sample }
            case AV_SAMPLE_FMT_DBL: unsafe add(plane, first, step, &power) { (sample: Double) in Float(sample) }
            // Of another kind: it is not known to be silent.
            default: for index in power.indices { power[index] = 1 }
            }
        }
        blocks.add(power)
    }

    private func add<Sample>(
        _ plane: UnsafeMutablePointer<UInt8>, _ first: Int, _ step: Int, _ power: inout [Float], _ value: (Sample) -> Float
    ) {
        let samples = unsafe UnsafeRawPointer(plane).assumingMemoryBound(to: Sample.self)
        for index in power.indices {
            let sample = unsafe value(samples[first + index * step])
            power[index] = max(power[index], sample * sample)
        }
    }
}
