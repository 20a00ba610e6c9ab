import BatonReading
import CFFmpeg

/// The sound of one file as decoded frames, packet by packet.
///
/// libavcodec runs on the calling thread; its context, the packet and the frame live as long as this object. A packet that cannot be
/// decoded is skipped, as players do.
@safe final class SoundFrames {
    let media: MediaFile
    let stream: UnsafeMutablePointer<AVStream>
    /// The frame that was decoded last.
    let frame: Frame
    private(set) var codec: UnsafeMutablePointer<AVCodecContext>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    private(set) var isAtEnd = false
    /// True if the last call found no packet in a growing file.
    private(set) var isStarved = false

    init(_ file: OpenFile, named name: String) throws(ReaderFailure) {
        file.allowMore()
        media = try MediaFile.open(file, named: name)
        unsafe avformat_find_stream_info(media.context, nil)
        file.isKnown = true
        if file.isGrowing { media.goOn() }
        guard let sound = unsafe media.sound else { throw ReaderFailure(.notSound) }
        unsafe stream = sound
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

    /// Calls `take` for each frame of the next packet, and at the end of the file for the frames left in the decoder.
    func readPacket(_ take: () -> Void) {
        // Minutes of sound in many channels may exceed the limit for tags; the hub's timeout limits the total.
        media.file.allowMore()
        isStarved = false
        guard unsafe av_read_frame(media.context, packet) >= 0 else {
            if media.file.isGrowing {
                isStarved = true
                return media.goOn()
            }
            isAtEnd = true
            unsafe avcodec_send_packet(codec, nil)
            return receive(take)
        }
        defer { unsafe av_packet_unref(packet) }
        guard unsafe packet?.pointee.stream_index == stream.pointee.index else { return }
        if unsafe avcodec_send_packet(codec, packet) >= 0 { receive(take) }
    }

    private func receive(_ take: () -> Void) {
        while unsafe avcodec_receive_frame(codec, frame.raw) >= 0 { take() }
    }
}
