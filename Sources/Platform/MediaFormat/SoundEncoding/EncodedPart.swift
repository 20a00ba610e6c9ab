import BatonReading
import CFFmpeg

/// Bytes that libavformat has written and that were not taken yet. libavformat borrows this object as long as its context lives, which
/// `EncodedPart` ensures.
private final class WrittenBytes {
    var bytes: [UInt8] = []
}

/// One encoder and one container, from headers to end.
///
/// Contexts, buffer and packet are allocated in `init` and freed in `deinit`.
@safe final class EncodedPart {
    private let written = WrittenBytes()
    private var codec: UnsafeMutablePointer<AVCodecContext>?
    private var container: UnsafeMutablePointer<AVFormatContext>?
    private var io: UnsafeMutablePointer<AVIOContext>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    private var waiting: [Float] = []
    /// Samples to drop at the beginning. ADTS cannot state a decoder's extra samples, which would delay a device that plays along.
    private var leftOut = 0
    private var frames: Int64 = 0
    /// True once the container is complete and takes no more sound.
    private var isFinished = false

    private struct Way {
        let encoder: String
        let container: String
        let samples: AVSampleFormat
        var options: [(name: String, value: String)] = []
        /// Options of the encoder.
        var encoding: [(name: String, value: String)] = []
    }

    private static func way(of codec: EncodedFormat.Codec) -> Way {
        switch codec {
        // A chosen bit rate is the network's limit, so the encoder must not exceed it for long.
        case .opus: Way(encoder: "libopus", container: "ogg", samples: AV_SAMPLE_FMT_FLT, encoding: [("vbr", "constrained")])
        // A stream has no end at which a seek table could be completed, and its titles are sent separately.
        case .mp3:
            Way(
                encoder: "libmp3lame", container: "mp3", samples: AV_SAMPLE_FMT_FLTP,
                options: [("write_xing", "0"), ("id3v2_version", "0")])
        case .aac: Way(encoder: "aac", container: "adts", samples: AV_SAMPLE_FMT_FLTP)
        }
    }

    init(_ format: EncodedFormat, title: String, artist: String) throws(ReaderFailure) {
        let way = Self.way(of: format.codec)
        try openEncoder(way, format)
        try openContainer(way, title: title, artist: artist)
        unsafe packet = av_packet_alloc()
        guard unsafe packet != nil else { throw ReaderFailure(.noMemory) }
    }

    deinit {
        unsafe av_packet_free(&packet)
        unsafe avformat_free_context(container)
        if let held = unsafe io { unsafe av_freep(&held.pointee.buffer) }
        unsafe avio_context_free(&io)
        unsafe avcodec_free_context(&codec)
    }

    private func openEncoder(_ way: Way, _ format: EncodedFormat) throws(ReaderFailure) {
        guard let encoder = unsafe avcodec_find_encoder_by_name(way.encoder) else { throw ReaderFailure(.notSound) }
        unsafe codec = avcodec_alloc_context3(encoder)
        guard let codec = unsafe codec else { throw ReaderFailure(.noMemory) }
        unsafe codec.pointee.sample_rate = Int32(EncodedFormat.sampleRate)
        unsafe codec.pointee.sample_fmt = way.samples
        unsafe codec.pointee.bit_rate = Int64(format.kilobits) * 1000
        unsafe codec.pointee.time_base = AVRational(num: 1, den: Int32(EncodedFormat.sampleRate))
        unsafe codec.pointee.thread_count = 1
        unsafe codec.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
        unsafe av_channel_layout_default(&codec.pointee.ch_layout, 2)
        var options: OpaquePointer?
        defer { unsafe av_dict_free(&options) }
        for (name, value) in way.encoding { unsafe av_dict_set(&options, name, value, 0) }
        guard unsafe avcodec_open2(codec, encoder, &options) >= 0 else { throw ReaderFailure(.notSound) }
        if format.codec == .aac { leftOut = unsafe Int(codec.pointee.initial_padding) * 2 }
    }

    private func openContainer(_ way: Way, title: String, artist: String) throws(ReaderFailure) {
        guard unsafe avformat_alloc_output_context2(&container, nil, way.container, nil) >= 0, let container = unsafe container,
            let stream = unsafe avformat_new_stream(container, nil), let codec = unsafe codec
        else { throw ReaderFailure(.noMemory) }
        let size: Int32 = 65_536
        let buffer = unsafe av_malloc(Int(size))?.assumingMemoryBound(to: UInt8.self)
        unsafe io = avio_alloc_context(
            buffer, size, 1, Unmanaged.passUnretained(written).toOpaque(), nil,
            { owner, bytes, count in
                guard let owner = unsafe owner, let bytes = unsafe bytes, count > 0 else { return 0 }
                unsafe Unmanaged<WrittenBytes>.fromOpaque(owner).takeUnretainedValue().bytes += UnsafeBufferPointer(
                    start: bytes, count: Int(count))
                return count
            }, nil)
        guard let io = unsafe io else { throw ReaderFailure(.noMemory) }
        unsafe io.pointee.seekable = 0
        unsafe container.pointee.pb = io
        unsafe container.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        guard unsafe avcodec_parameters_from_context(stream.pointee.codecpar, codec) >= 0 else { throw ReaderFailure(.noMemory) }
        unsafe stream.pointee.time_base = codec.pointee.time_base
        for (name, value) in [("title", title), ("artist", artist)] where !value.isEmpty {
            unsafe av_dict_set(&stream.pointee.metadata, name, value, 0)
        }
        var options: OpaquePointer?
        defer { unsafe av_dict_free(&options) }
        for (name, value) in way.options { unsafe av_dict_set(&options, name, value, 0) }
        guard unsafe avformat_write_header(container, &options) >= 0 else { throw ReaderFailure(.notSound) }
    }

    /// All bytes written so far, in whole packets and pages.
    func takeBytes() -> [UInt8] {
        // Without a packet, a container writes its unfinished page.
        if !isFinished { unsafe av_write_frame(container, nil) }
        if let io = unsafe io { unsafe avio_flush(io) }
        defer { written.bytes = [] }
        return written.bytes
    }

    // MARK: Sound

    func add(_ samples: [Float]) {
        waiting += samples.dropFirst(leftOut)
        leftOut = max(0, leftOut - samples.count)
        guard let codec = unsafe codec else { return }
        let size = unsafe Int(codec.pointee.frame_size) * 2
        guard size > 0 else { return }
        var at = 0
        while waiting.count - at >= size {
            encode(waiting[at..<at + size])
            at += size
        }
        waiting.removeFirst(at)
    }

    func finish() {
        if !waiting.isEmpty { encode(waiting[...]) }
        waiting = []
        unsafe avcodec_send_frame(codec, nil)
        receive()
        isFinished = true
        unsafe av_write_trailer(container)
    }

    private func encode(_ samples: ArraySlice<Float>) {
        guard let codec = unsafe codec, var frame = unsafe av_frame_alloc() else { return }
        defer {
            var freed: UnsafeMutablePointer<AVFrame>? = unsafe frame
            unsafe av_frame_free(&freed)
        }
        let count = samples.count / 2
        unsafe frame.pointee.nb_samples = Int32(count)
        unsafe frame.pointee.format = codec.pointee.sample_fmt.rawValue
        unsafe frame.pointee.sample_rate = codec.pointee.sample_rate
        unsafe av_channel_layout_copy(&frame.pointee.ch_layout, &codec.pointee.ch_layout)
        guard unsafe av_frame_get_buffer(frame, 0) >= 0 else { return }
        unsafe fill(&frame, samples, isPlanar: av_sample_fmt_is_planar(codec.pointee.sample_fmt) != 0)
        unsafe frame.pointee.pts = frames
        frames += Int64(count)
        if unsafe avcodec_send_frame(codec, frame) >= 0 { receive() }
    }

    private func fill(_ frame: inout UnsafeMutablePointer<AVFrame>, _ samples: ArraySlice<Float>, isPlanar: Bool) {
        for channel in 0..<(isPlanar ? 2 : 1) {
            guard let plane = unsafe frame.pointee.extended_data[channel] else { return }
            let floats = unsafe UnsafeMutableRawPointer(plane).assumingMemoryBound(to: Float.self)
            let step = isPlanar ? 2 : 1
            for (place, index) in stride(from: samples.startIndex + channel, to: samples.endIndex, by: step).enumerated() {
                // The behaviour of encoders is undefined for values that are not finite.
                let sample = samples[index]
                unsafe floats[place] = sample.isFinite ? max(-1, min(1, sample)) : 0
            }
        }
    }

    private func receive() {
        guard let codec = unsafe codec, let container = unsafe container, let packet = unsafe packet else { return }
        while unsafe avcodec_receive_packet(codec, packet) >= 0 {
            unsafe packet.pointee.stream_index = 0
            guard let stream = unsafe container.pointee.streams[0] else { return }
            unsafe av_packet_rescale_ts(packet, codec.pointee.time_base, stream.pointee.time_base)
            unsafe av_write_frame(container, packet)
            unsafe av_packet_unref(packet)
        }
    }
}
