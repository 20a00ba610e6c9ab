package import BatonReading
import CFFmpeg
import Glibc

/// A file of music as libavformat sees it, for as long as this lives.
///
/// Everything happens on the thread that asks. What libavformat lends (tags, chapters, a picture) lives as
/// long as the context and is copied out before a verb returns. Calls come in pairs: the buffer and
/// the context of `init` are freed in `deinit`.
@safe package final class MediaFile {
    let file: OpenFile
    let context: UnsafeMutablePointer<AVFormatContext>
    private var io: UnsafeMutablePointer<AVIOContext>?

    /// libavformat stays silent: what there is to say is said by the hub.
    package static func beQuiet() { av_log_set_level(AV_LOG_QUIET) }

    /// What counts as music. No kind of file that leads to other files is among them.
    private static let kinds =
        "aac,ac3,aiff,amr,ape,asf,au,caf,dsf,dts,dtshd,eac3,flac,iff,matroska,webm,mov,mp4,m4a,3gp,3g2,mj2,mp3,mpc,mpc8,ogg,oma,rm,shn,"
        + "spdif,tak,truehd,tta,voc,w64,wav,wv,xwma"

    /// `guessing` spares libavformat the search for the right reader; a guess that was wrong is a failure.
    init(_ file: OpenFile, named name: String, guessing: Bool) throws(ReaderFailure) {
        let guess = guessing ? SoundKind.name(of: file.bytes(at: 0, most: SoundKind.enough)) : nil
        if guessing, guess == nil { throw ReaderFailure(.notSound) }
        var io = unsafe Self.io(for: file)
        do throws(ReaderFailure) {
            unsafe context = try Self.open(file, io, named: name, as: guess)
        } catch {
            unsafe Self.free(&io)
            throw error
        }
        self.file = file
        unsafe self.io = io
    }

    /// The file, if there is sound in it. The name's ending is a hint.
    package static func open(_ file: OpenFile, named name: String) throws(ReaderFailure) -> MediaFile {
        if let guessed = try? MediaFile(file, named: name, guessing: true), guessed.isWhatItSeemed { return guessed }
        guard !file.isTooLarge else { throw ReaderFailure(.tooLarge) }
        file.rewind()
        return try MediaFile(file, named: name, guessing: false)
    }

    /// Behind an ID3 tag there may stand something else than MP3.
    private var isWhatItSeemed: Bool {
        guard let sound = unsafe sound else { return false }
        return unsafe sound.pointee.codecpar.pointee.codec_id != AV_CODEC_ID_MP3 || header(of: sound) != nil
    }

    /// A context that fails to open is freed by libavformat, which leaves what is ours.
    private static func open(
        _ file: OpenFile, _ io: UnsafeMutablePointer<AVIOContext>?, named name: String, as guess: String?
    ) throws(ReaderFailure) -> UnsafeMutablePointer<AVFormatContext> {
        var opened = unsafe avformat_alloc_context()
        guard let context = unsafe opened else { throw ReaderFailure(.noMemory) }
        unsafe context.pointee.pb = io
        unsafe context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        unsafe context.pointee.format_whitelist = av_strdup(kinds)
        unsafe context.pointee.io_open = { _, _, _, _, _ in -EPERM }
        unsafe context.pointee.max_analyze_duration = 1_000_000
        unsafe context.pointee.probesize = 1 << 20
        let status = unsafe avformat_open_input(&opened, name, guess.flatMap { unsafe av_find_input_format($0) }, nil)
        guard status >= 0 else { throw failure(status, file) }
        return unsafe context
    }

    deinit {
        var opened: UnsafeMutablePointer<AVFormatContext>? = unsafe context
        unsafe avformat_close_input(&opened)
        unsafe Self.free(&io)
    }

    private static func io(for file: OpenFile) -> UnsafeMutablePointer<AVIOContext>? {
        let size: Int32 = 16_384
        let buffer = unsafe av_malloc(Int(size))?.assumingMemoryBound(to: UInt8.self)
        // The file outlives the context, which `MediaFile` holds as well.
        let owner = unsafe Unmanaged.passUnretained(file).toOpaque()
        return unsafe avio_alloc_context(
            buffer, size, 0, owner,
            { owner, buffer, most in unsafe OpenFile.at(owner)?.read(into: buffer, most) ?? -EINVAL },
            nil, file.isGrowing ? nil : { owner, offset, whence in unsafe OpenFile.at(owner)?.seek(to: offset, whence) ?? Int64(-EINVAL) })
    }

    /// There may be more now in a file that grows.
    func goOn() {
        guard let io = unsafe io else { return }
        unsafe (io.pointee.eof_reached, io.pointee.error) = (0, 0)
    }

    private static func free(_ io: inout UnsafeMutablePointer<AVIOContext>?) {
        // libavformat may have changed the buffer for another.
        if let held = unsafe io { unsafe av_freep(&held.pointee.buffer) }
        unsafe avio_context_free(&io)
    }

    static func failure(_ status: Int32, _ file: OpenFile) -> ReaderFailure {
        if file.isTooLarge { return ReaderFailure(.tooLarge) }
        if file.trouble != 0 { return ReaderFailure(.system, status: file.trouble) }
        return ReaderFailure(status == cffmpeg_no_memory() ? .noMemory : .notSound)
    }

    var streams: [UnsafeMutablePointer<AVStream>] {
        unsafe (0..<Int(context.pointee.nb_streams)).compactMap { unsafe context.pointee.streams[$0] }
    }

    var sound: UnsafeMutablePointer<AVStream>? {
        unsafe streams.first { unsafe $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO }
    }
}

/// The entries of one of libavutil's dictionaries, copied out.
func entries(of dictionary: OpaquePointer?) -> [FileFacts.Tag] {
    var found: [FileFacts.Tag] = []
    var entry: UnsafeMutablePointer<AVDictionaryEntry>?
    while let next = unsafe av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
        found.append(unsafe FileFacts.Tag(name: bytes(next.pointee.key), value: bytes(next.pointee.value)))
        unsafe entry = next
    }
    return found
}

private func bytes(_ text: UnsafePointer<CChar>?) -> [UInt8] {
    guard let text = unsafe text else { return [] }
    let count = unsafe strlen(text)
    return unsafe text.withMemoryRebound(to: UInt8.self, capacity: count) { unsafe [UInt8](UnsafeBufferPointer(start: $0, count: count)) }
}
