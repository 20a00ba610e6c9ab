package import BatonReading
import CFFmpeg

/// A picture in a file: found, decoded, and scaled to the wanted size.
///
/// Its header is checked before anything is decoded. libavcodec runs on the calling thread; the memory passed to it is valid for the call.
package struct PictureWork {
    private let bytes: [UInt8]
    private let header: PictureHeader

    /// `file` is the open file, if the place is one.
    package init(_ place: PictureLocation, _ file: OpenFile?) throws(ReaderFailure) {
        switch (place, file) {
        case (.bytes(let own), _): bytes = own
        case (_, nil): throw ReaderFailure(.notAFile)
        case (.file, let file?):
            guard file.size <= PictureLocation.mostBytes else { throw ReaderFailure(.tooLarge) }
            bytes = file.bytes(at: 0, most: Int(file.size))
        case (.embedded(let name), let file?): bytes = try MediaFile.open(file, named: name).coverBytes()
        }
        do throws(PictureHeader.Refusal) {
            header = try PictureHeader(of: bytes)
        } catch {
            throw ReaderFailure(error == .tooManyPixels ? .tooManyPixels : .badPicture)
        }
    }

    private var name: UInt64 {
        let hash = ContentHash()
        hash.add(bytes)
        return hash.result().high
    }

    package var cover: FileFacts.Cover { FileFacts.Cover(name: name, header: header) }

    /// The original picture, but BMP is converted to PNG, since every screen shows PNG and few show BMP.
    package func original() throws(ReaderFailure) -> PictureFound {
        if header.type == .bmp { return try scaled(PictureRequest(width: nil, height: nil, type: .png)) }
        return PictureFound(name: name, header: header, bytes: bytes)
    }

    package func scaled(_ wish: PictureRequest) throws(ReaderFailure) -> PictureFound {
        let cut = PictureCut(of: (header.width, header.height), for: wish)
        let frame = try decoded(halvings: cut.halvings)
        // The decoded picture may be smaller than the header states, so the cut is computed again.
        let made = try scaled(frame, PictureCut(of: (frame.width, frame.height), for: exact(wish, cut)), for: wish.type)
        let type: PictureType = wish.type == .png ? .png : .jpeg
        let result = try encoded(made, as: type, mostBytes: wish.mostBytes ?? PictureLocation.mostBytes)
        return PictureFound(name: name, header: PictureHeader(type: type, width: made.width, height: made.height), bytes: result)
    }

    /// The size follows from the whole picture, not from the smaller one that was decoded.
    private func exact(_ wish: PictureRequest, _ cut: PictureCut) -> PictureRequest {
        PictureRequest(width: cut.toWidth, height: cut.toHeight, type: wish.type)
    }

    private func scaled(_ frame: Frame, _ cut: PictureCut, for type: PictureType) throws(ReaderFailure) -> Frame {
        let isTransparent = frame.isTransparent
        if type == .png { return try frame.scaled(cut, as: isTransparent ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24) }
        guard isTransparent else { return try frame.scaled(cut, as: AV_PIX_FMT_YUVJ420P) }
        let colours = try frame.scaled(cut, as: AV_PIX_FMT_RGBA)
        colours.onWhite()
        let whole = PictureRequest(width: nil, height: nil, type: .jpeg)
        return try colours.scaled(PictureCut(of: (colours.width, colours.height), for: whole), as: AV_PIX_FMT_YUVJ420P)
    }

    package func colours() throws(ReaderFailure) -> PictureColours {
        let side = 64
        let frame = try decoded(halvings: (0...3).last { min(header.width, header.height) >> $0 >= side } ?? 0)
        // The whole picture counts, so it is squeezed rather than cut.
        let squeezed = PictureCut(squeezing: (frame.width, frame.height), into: side)
        var pixels: [UInt8] = []
        unsafe try frame.scaled(squeezed, as: AV_PIX_FMT_RGBA).eachLine { line in unsafe pixels.append(contentsOf: line) }
        return PictureColours(rgba: pixels)
    }

    // MARK: Decoding

    private static let decoders: [PictureType: AVCodecID] = [
        .jpeg: AV_CODEC_ID_MJPEG, .png: AV_CODEC_ID_PNG, .webp: AV_CODEC_ID_WEBP, .gif: AV_CODEC_ID_GIF, .bmp: AV_CODEC_ID_BMP,
    ]

    /// The first picture in the file. JPEG can be decoded at a half, a quarter or an eighth of its size, which is correspondingly faster.
    private func decoded(halvings: Int) throws(ReaderFailure) -> Frame {
        guard let kind = Self.decoders[header.type], let codec = unsafe avcodec_find_decoder(kind) else { throw ReaderFailure(.badPicture) }
        var context = unsafe avcodec_alloc_context3(codec)
        defer { unsafe avcodec_free_context(&context) }
        unsafe context?.pointee.lowres = min(Int32(halvings), Int32(codec.pointee.max_lowres))
        unsafe context?.pointee.thread_count = 1
        unsafe context?.pointee.max_pixels = Int64(PictureHeader.mostPixels)
        try Self.check(unsafe avcodec_open2(context, codec, nil))
        unsafe try Self.send(bytes, to: context)
        let frame = try Frame()
        try Self.check(unsafe avcodec_receive_frame(context, frame.raw))
        guard frame.width > 0, frame.height > 0 else { throw ReaderFailure(.badPicture) }
        return frame
    }

    private static func send(_ bytes: [UInt8], to context: UnsafeMutablePointer<AVCodecContext>?) throws(ReaderFailure) {
        var packet = unsafe av_packet_alloc()
        defer { unsafe av_packet_free(&packet) }
        try check(unsafe av_new_packet(packet, Int32(bytes.count)))
        if let data = unsafe packet?.pointee.data { unsafe data.update(from: bytes, count: bytes.count) }
        try check(unsafe avcodec_send_packet(context, packet))
        // Signals the end, since some decoders hold a picture back until then.
        unsafe avcodec_send_packet(context, nil)
    }

    private static func check(_ status: Int32) throws(ReaderFailure) {
        guard status >= 0 else { throw ReaderFailure(status == cffmpeg_no_memory() ? .noMemory : .badPicture) }
    }

    // MARK: Encoding

    /// Quality levels of the JPEG encoder, from indistinguishable to barely recognisable.
    private static let qualities: [Int32] = [3, 5, 8, 12, 18, 25, 31]

    private func encoded(_ frame: Frame, as type: PictureType, mostBytes: Int) throws(ReaderFailure) -> [UInt8] {
        for quality in type == .jpeg ? Self.qualities : [1] {
            let bytes = try Self.encoded(frame, as: type, quality: quality)
            if bytes.count <= mostBytes { return bytes }
        }
        throw ReaderFailure(.cannotFit)
    }

    private static func encoded(_ frame: Frame, as type: PictureType, quality: Int32) throws(ReaderFailure) -> [UInt8] {
        guard let codec = unsafe avcodec_find_encoder(type == .jpeg ? AV_CODEC_ID_MJPEG : AV_CODEC_ID_PNG) else {
            throw ReaderFailure(.badPicture)
        }
        var context = unsafe avcodec_alloc_context3(codec)
        defer { unsafe avcodec_free_context(&context) }
        unsafe context?.pointee.width = Int32(frame.width)
        unsafe context?.pointee.height = Int32(frame.height)
        unsafe context?.pointee.pix_fmt = frame.format
        unsafe context?.pointee.time_base = AVRational(num: 1, den: 1)
        unsafe context?.pointee.thread_count = 1
        unsafe context?.pointee.flags |= AV_CODEC_FLAG_QSCALE
        unsafe context?.pointee.global_quality = quality * FF_QP2LAMBDA
        unsafe frame.raw.pointee.quality = quality * FF_QP2LAMBDA
        unsafe frame.raw.pointee.pts = 0
        try check(unsafe avcodec_open2(context, codec, nil))
        try check(unsafe avcodec_send_frame(context, frame.raw))
        var packet = unsafe av_packet_alloc()
        defer { unsafe av_packet_free(&packet) }
        unsafe avcodec_send_frame(context, nil)
        try check(unsafe avcodec_receive_packet(context, packet))
        guard let made = unsafe packet?.pointee, let data = unsafe made.data else { throw ReaderFailure(.noMemory) }
        return unsafe [UInt8](UnsafeBufferPointer(start: data, count: Int(made.size)))
    }
}

extension MediaFile {
    fileprivate func coverBytes() throws(ReaderFailure) -> [UInt8] {
        guard let stream = unsafe coverStream else { throw ReaderFailure(file.isTooLarge ? .tooLarge : .noPicture) }
        let packet = unsafe stream.pointee.attached_pic
        guard unsafe packet.size <= PictureLocation.mostBytes else { throw ReaderFailure(.tooLarge) }
        return unsafe [UInt8](UnsafeBufferPointer(start: packet.data, count: Int(max(0, packet.size))))
    }
}
