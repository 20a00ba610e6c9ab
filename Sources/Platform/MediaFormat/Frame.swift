import BatonReading
import CFFmpeg

/// One picture in libavutil's memory, allocated or taken over in `init` and freed in `deinit`.
@safe final class Frame {
    let raw: UnsafeMutablePointer<AVFrame>

    /// An empty frame, for libavcodec or libswscale to fill.
    init() throws(ReaderFailure) {
        guard let frame = unsafe av_frame_alloc() else { throw ReaderFailure(.noMemory) }
        unsafe raw = frame
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = unsafe raw
        unsafe av_frame_free(&frame)
    }

    var width: Int { unsafe Int(raw.pointee.width) }
    var height: Int { unsafe Int(raw.pointee.height) }
    var format: AVPixelFormat { unsafe AVPixelFormat(rawValue: raw.pointee.format) }

    private var flags: UInt64 { unsafe av_pix_fmt_desc_get(format).map { unsafe $0.pointee.flags } ?? 0 }

    /// True if the format has transparency.
    var isTransparent: Bool { flags & UInt64(AV_PIX_FMT_FLAG_ALPHA | AV_PIX_FMT_FLAG_PAL) != 0 }

    /// True if several pixels share a byte, so that no side can be cut.
    private var isPacked: Bool { flags & UInt64(AV_PIX_FMT_FLAG_BITSTREAM) != 0 }

    /// The selected part, in the wanted size and format.
    func scaled(_ cut: PictureCut, as format: AVPixelFormat) throws(ReaderFailure) -> Frame {
        if isPacked {
            let whole = PictureCut(of: (width, height), for: PictureRequest(width: nil, height: nil, type: .png))
            return try scaled(from: self, whole, as: AV_PIX_FMT_RGB24).scaled(cut, as: format)
        }
        unsafe raw.pointee.crop_left = cut.left
        unsafe raw.pointee.crop_right = max(0, width - cut.left - cut.width)
        unsafe raw.pointee.crop_top = cut.top
        unsafe raw.pointee.crop_bottom = max(0, height - cut.top - cut.height)
        guard unsafe av_frame_apply_cropping(raw, Int32(AV_FRAME_CROP_UNALIGNED)) >= 0 else { throw ReaderFailure(.badPicture) }
        return try scaled(from: self, cut, as: format)
    }

    private func scaled(from frame: Frame, _ cut: PictureCut, as format: AVPixelFormat) throws(ReaderFailure) -> Frame {
        // Averages when shrinking, interpolates when enlarging.
        let manner = cut.toWidth < frame.width || cut.toHeight < frame.height ? SWS_AREA : SWS_BICUBIC
        let context = unsafe sws_getContext(
            Int32(frame.width), Int32(frame.height), frame.format, Int32(cut.toWidth), Int32(cut.toHeight), format,
            manner | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT, nil, nil, nil)
        guard let context = unsafe context else { throw ReaderFailure(.badPicture) }
        defer { unsafe sws_freeContext(context) }
        let result = try Frame()
        unsafe result.raw.pointee.width = Int32(cut.toWidth)
        unsafe result.raw.pointee.height = Int32(cut.toHeight)
        unsafe result.raw.pointee.format = format.rawValue
        guard unsafe av_frame_get_buffer(result.raw, 0) >= 0 else { throw ReaderFailure(.noMemory) }
        let status = unsafe sws_scale_frame(context, result.raw, frame.raw)
        guard status >= 0 else { throw ReaderFailure(status == cffmpeg_no_memory() ? .noMemory : .badPicture) }
        return result
    }

    /// Calls `body` for each line, in formats of four bytes a pixel.
    func eachLine(_ body: (UnsafeMutableBufferPointer<UInt8>) -> Void) {
        guard let first = unsafe raw.pointee.data.0 else { return }
        let stride = unsafe Int(raw.pointee.linesize.0)
        for line in 0..<height { unsafe body(UnsafeMutableBufferPointer(start: first + line * stride, count: width * 4)) }
    }

    /// Puts the picture on a white background.
    func onWhite() {
        unsafe eachLine { line in
            for at in stride(from: 0, to: line.count, by: 4) {
                let cover = unsafe Int(line[at + 3])
                for part in at..<at + 3 { unsafe line[part] = UInt8((Int(line[part]) * cover + 255 * (255 - cover) + 127) / 255) }
                unsafe line[at + 3] = 255
            }
        }
    }
}
