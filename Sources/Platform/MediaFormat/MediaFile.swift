package import BatonReading
import CFFmpeg
import Glibc

/// A music file, opened with libavformat.
///
/// Everything runs on the calling thread. Memory that libavformat lends (tags, chapters, a picture) is valid as long as the context and is
/// copied before a method returns. The buffer and the context from `init` are freed in `deinit`.
@safe package final class MediaFile {
    let file: OpenFile
    let context: UnsafeMutablePointer<AVFormatContext>
    private var io: UnsafeMutablePointer<AVIOContext>?

    /// Silences libavformat, since the hub does the logging.
    package static func beQuiet() { av_log_set_level(AV_LOG_QUIET) }

    /// Accepted formats for music. None of them refers to other files.
    private static let kinds =
        "aac,ac3,aiff,amr,ape,asf,au,caf,dsf,dts,dtshd,eac3,flac,iff,matroska,webm,mov,mp4,m4a,3gp,3g2,mj2,mp3,mpc,mpc8,ogg,oma,rm,shn,"
        + "spdif,tak,truehd,tta,voc,w64,wav,wv,xwma"

    /// `guessing` spares libavformat the search for the format; a wrong guess fails.
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

    /// The file, if it contains sound. Its extension is a hint.
    package static func open(_ file: OpenFile, named name: String) throws(ReaderFailure) -> MediaFile {
        if let guessed = try? MediaFile(file, named: name, guessing: true), guessed.isWhatItSeemed { return guessed }
        guard !file.isTooLarge else { throw ReaderFailure(.tooLarge) }
        file.rewind()
        return try MediaFile(file, named: name, guessing: false)
    }

    /// Whether the guess was right: data behind an ID3 tag need not be MP3.
    private var isWhatItSeemed: Bool {
        guard let sound = unsafe sound else { return false }
        return unsafe sound.pointee.codecpar.pointee.codec_id != AV_CODEC_ID_MP3 || header(of: sound) != nil
    }

    /// libavformat frees a context that fails to open, but not our objects.
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
        // The file outlives the context, since `MediaFile` holds both.
        let owner = unsafe Unmanaged.passUnretained(file).toOpaque()
        return unsafe avio_alloc_context(
            buffer, size, 0, owner,
            { owner, buffer, most in unsafe OpenFile.at(owner)?.read(into: buffer, most) ?? -EINVAL },
            nil, file.isGrowing ? nil : { owner, offset, whence in unsafe OpenFile.at(owner)?.seek(to: offset, whence) ?? Int64(-EINVAL) })
    }

    /// Continues after an end, since a growing file may have more now.
    func goOn() {
        guard let io = unsafe io else { return }
        unsafe (io.pointee.eof_reached, io.pointee.error) = (0, 0)
    }

    private static func free(_ io: inout UnsafeMutablePointer<AVIOContext>?) {
        // libavformat may have replaced the buffer.
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

/// The entries of a libavutil dictionary, copied.
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
