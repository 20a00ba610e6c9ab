import BatonSeams
import CMPV
import Glibc
import Synchronization
import Threads

/// Files that libmpv may open now, each under an address of ours: `baton-file://7.flac`.
///
/// libmpv never opens a path, since checks made when the file was opened would have to be repeated. A descriptor in the address (`fd://`)
/// does not work either: all its readers share one offset, while libmpv may open the next entry before the last one is closed, and the same
/// entry twice. So each opening here is a reader with its own offset, on the descriptor that the source opened. Bytes that are not in a
/// local file are read by the calling thread, which waits for them.
///
/// Threads: any of libmpv's demuxers calls, and may wait for the disk. Borrowed memory: the buffer is valid for the call. Pairs: every
/// opening is closed once; it holds the file open until then, even if the file was withdrawn.
@safe final class FileStreams: Sendable {
    static let scheme = "baton-file"

    enum Content: Sendable {
        case file(any FileRange)
        case bytes(any ByteSource)
    }

    private struct Offer {
        /// One content, or the parts of a book.
        var contents: [Content]
        var isSoundOnly: Bool
    }

    private let files = Mutex<[Int: Offer]>([:])
    /// Titles that live streams sent, by the number of their order.
    private let titles = Mutex<[Int: StreamTitles]>([:])
    /// The most recent reason why the bytes of an order stopped before their end.
    private let fault = Mutex<(number: Int, sentence: String)?>(nil)
    /// Start of libmpv's wait for bytes, by order.
    private let waits = Mutex<[Int: ContinuousClock.Instant]>([:])

    /// Returns the address. The order's number is part of it, so that two openings are never confused. With `isSoundOnly`, parts of the
    /// file that may refer to other files are not read.
    func offer(_ content: Content, named name: String, as number: Int, isSoundOnly: Bool = false) -> String {
        files.withLock { $0[number] = Offer(contents: [content], isSoundOnly: isSoundOnly) }
        return Self.address(number, name)
    }

    /// The addresses of the parts of one order. libmpv joins the parts, so they have to be sound.
    func offer(_ parts: [NamedFile], as number: Int) -> [String] {
        files.withLock { $0[number] = Offer(contents: parts.map { .file($0.content) }, isSoundOnly: true) }
        return parts.enumerated().map { Self.address(number, $1.path, part: $0) }
    }

    /// Withdraws all other orders.
    func keep(only numbers: [Int]) {
        files.withLock { files in files = files.filter { numbers.contains($0.key) } }
        titles.withLock { titles in if !titles.isEmpty { titles = titles.filter { numbers.contains($0.key) } } }
    }

    /// Titles of an order that were read since the last call.
    func takeTitles(of number: Int) -> StreamTitles? {
        titles.withLock { titles in
            guard let found = titles[number], !found.titles.isEmpty else { return nil }
            titles[number]?.titles = []
            return found
        }
    }

    /// Called when libmpv has read up to `position`, from where on the stream has this title.
    fileprivate func read(_ number: Int, upTo position: Int64, title: String?, age: SoundAge?) {
        titles.withLock { $0[number, default: StreamTitles()].read(upTo: position, title, age) }
    }

    /// Reception times of the sound that was read last and of the oldest stored sound; `nil` if the order has none.
    func received(of number: Int) -> (at: ContinuousClock.Instant, oldestAt: ContinuousClock.Instant)? {
        titles.withLock { $0[number]?.received }
    }

    /// The reason why the bytes of this order stopped early, which libmpv takes for the end of the file.
    func takeFault(of number: Int) -> String? {
        fault.withLock { fault in
            guard let found = fault, found.number == number else { return nil }
            fault = nil
            return found.sentence
        }
    }

    func waitsSince(_ number: Int) -> ContinuousClock.Instant? { waits.withLock { $0[number] } }

    fileprivate func waits(_ number: Int, since: ContinuousClock.Instant?) { waits.withLock { $0[number] = since } }

    fileprivate func failed(_ number: Int, _ sentence: String) { fault.withLock { $0 = (number, sentence) } }

    /// Registers our addresses with `core`, which retains this object until `left`.
    func serve(_ core: OpaquePointer) -> Int32 {
        unsafe baton_mpv_stream_cb_add_ro(core, Self.scheme, Unmanaged.passRetained(self).toOpaque(), openStream)
    }

    /// Releases this object after `core` has ended.
    func left() { unsafe Unmanaged.passUnretained(self).release() }

    /// The address ends with the extension of the file, which tells its format.
    static func address(_ number: Int, _ path: String, part: Int = 0) -> String {
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last ?? []
        let end = name.lastIndex(of: UInt8(ascii: ".")).map { name[name.index(after: $0)...] } ?? []
        let isPlain = (1...10).contains(end.count) && end.allSatisfy(Self.isLetterOrDigit)
        return "\(scheme)://\(number)" + (part > 0 ? "-\(part)" : "") + (isPlain ? ".\(String(decoding: end, as: UTF8.self))" : "")
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }

    fileprivate func reading(_ address: String) -> (any OpenStream)? {
        let rest = address.dropFirst("\(Self.scheme)://".count)
        let numbers = rest.prefix { $0 != "." }.split(separator: "-").map { Int($0) }
        guard let number = numbers.first ?? nil, let part = numbers.count > 1 ? numbers[1] : 0 else { return nil }
        return files.withLock { $0[number] }.flatMap { offer in
            guard offer.contents.indices.contains(part) else { return nil }
            let stream = stream(of: offer.contents[part], number)
            return offer.isSoundOnly ? SoundOnly(stream) : stream
        }
    }

    private func stream(of content: Content, _ number: Int) -> any OpenStream {
        switch content {
        case .file(let file): OpenFile(file)
        case .bytes(let source):
            OpenBytes(
                source, waits: { [weak self] in self?.waits(number, since: $0) },
                titled: { [weak self] in self?.read(number, upTo: $0, title: $1, age: $2) },
                failed: { [weak self] in self?.failed(number, $0) })
        }
    }
}

/// One opening with its offset. libmpv calls it from one thread at a time, except for `cancel`.
protocol OpenStream: AnyObject {
    var position: Int64 { get set }
    var canSeek: Bool { get }
    /// `nil` if the size is unknown.
    var size: Int64? { get }
    /// Number of bytes read; 0 at the end, negative after a failure.
    func read(into buffer: UnsafeMutablePointer<CChar>, count: UInt64) -> Int64
    func cancel()
}

@safe private final class OpenFile: OpenStream {
    let file: any FileRange
    var position: Int64 = 0

    init(_ file: any FileRange) { self.file = file }

    var canSeek: Bool { true }
    func cancel() {}

    func read(into buffer: UnsafeMutablePointer<CChar>, count: UInt64) -> Int64 {
        while true {
            let got = unsafe pread(file.descriptor, buffer, Int(clamping: count), Int(position))
            if got < 0, errno == EINTR { continue }
            if got > 0 { position += Int64(got) }
            return Int64(got)
        }
    }

    /// Read each time, since a file may grow while it plays.
    var size: Int64? {
        var status = stat()
        return unsafe fstat(file.descriptor, &status) == 0 ? Int64(status.st_size) : file.stamp.size
    }
}

private final class OpenBytes: OpenStream {
    private let source: any ByteSource
    private let titled: (any TitledBytes)?
    private let thread = WaitingThread()
    /// Called with the place that was read up to, the title from there on, and the age of the sound before.
    private let heardOf: (Int64, String?, SoundAge?) -> Void
    /// Called with the reason why the bytes stopped.
    private let failed: (String) -> Void
    /// Called with the start of a wait, and with `nil` when it is over.
    private let waits: (ContinuousClock.Instant?) -> Void
    var position: Int64 = 0
    private static let pieceBytes = 64 * 1024

    init(
        _ source: any ByteSource, waits: @escaping (ContinuousClock.Instant?) -> Void,
        titled heardOf: @escaping (Int64, String?, SoundAge?) -> Void, failed: @escaping (String) -> Void
    ) {
        self.source = source
        self.waits = waits
        self.failed = failed
        self.heardOf = heardOf
        titled = source as? any TitledBytes
    }

    var canSeek: Bool { source.hasRanges }
    var size: Int64? { source.length }
    func cancel() { thread.cancel() }

    func read(into buffer: UnsafeMutablePointer<CChar>, count: UInt64) -> Int64 {
        let (source, position) = (source, position)
        let most = min(Int(clamping: count), Self.pieceBytes)
        waits(.now)
        defer { waits(nil) }
        let answer = thread.wait { () async -> Result<[UInt8], SourceFault> in
            do throws(SourceFault) { return .success(try await source.read(at: position, count: most)) } catch { return .failure(error) }
        }
        let piece: [UInt8]
        switch answer {
        case .success(let bytes): piece = bytes
        case .failure(let fault):
            if fault.code != .cancelled { failed(fault.sentence) }
            return -1
        }
        guard piece.count <= most else { return -1 }
        unsafe piece.withUnsafeBytes { bytes in
            unsafe UnsafeMutableRawBufferPointer(start: buffer, count: bytes.count).copyMemory(from: bytes)
        }
        self.position += Int64(piece.count)
        if let titled { heardOf(self.position, titled.title(at: self.position), titled.age(at: max(0, self.position - 1))) }
        return Int64(piece.count)
    }
}

/// An opening that libmpv has not closed. libmpv holds a number for it instead of an address, because it may cancel an opening on one
/// thread while closing it on another. A number that is already closed is ignored.
private final class Cookie {
    let stream: any OpenStream

    init(_ stream: any OpenStream) { self.stream = stream }

    /// Addresses of cookies, each retained once for its entry in this table.
    private static let open = Mutex<(next: UInt, cookies: [UInt: UInt])>((1, [:]))

    static func number(for stream: any OpenStream) -> UnsafeMutableRawPointer? {
        let address = unsafe UInt(bitPattern: Unmanaged.passRetained(Cookie(stream)).toOpaque())
        let number = open.withLock { open in
            let number = open.next
            open.next += 1
            open.cookies[number] = address
            return number
        }
        return unsafe UnsafeMutableRawPointer(bitPattern: number)
    }

    /// The stream, which stays alive as long as the caller holds it.
    static func stream(_ number: UnsafeMutableRawPointer?) -> (any OpenStream)? {
        let number = UInt(bitPattern: number)
        let address: UInt? = open.withLock { open in
            guard let address = open.cookies[number], let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
            // Retained under the lock, so that closing on another thread cannot free it in between.
            _ = unsafe Unmanaged<Cookie>.fromOpaque(pointer).retain()
            return address
        }
        guard let address, let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
        return unsafe Unmanaged<Cookie>.fromOpaque(pointer).takeRetainedValue().stream
    }

    static func close(_ number: UnsafeMutableRawPointer?) {
        let number = UInt(bitPattern: number)
        let address = open.withLock { $0.cookies.removeValue(forKey: number) }
        guard let address, let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return }
        unsafe Unmanaged<Cookie>.fromOpaque(pointer).release()
    }
}

private func openStream(
    streams: UnsafeMutableRawPointer?, address: UnsafeMutablePointer<CChar>?, stream: UnsafeMutablePointer<mpv_stream_cb_info>?
) -> Int32 {
    guard let streams = unsafe streams, let address = unsafe address, let stream = unsafe stream,
        let reading = unsafe Unmanaged<FileStreams>.fromOpaque(streams).takeUnretainedValue().reading(String(cString: address))
    else { return MPV_ERROR_LOADING_FAILED.rawValue }
    unsafe stream.pointee.cookie = Cookie.number(for: reading)
    unsafe stream.pointee.read_fn = { cookie, buffer, count in
        guard let reading = unsafe Cookie.stream(cookie), let buffer = unsafe buffer else { return -1 }
        return unsafe reading.read(into: buffer, count: count)
    }
    if reading.canSeek {
        unsafe stream.pointee.seek_fn = { cookie, position in
            guard let reading = unsafe Cookie.stream(cookie), position >= 0 else { return Int64(MPV_ERROR_GENERIC.rawValue) }
            reading.position = position
            return position
        }
    }
    unsafe stream.pointee.size_fn = { cookie in unsafe Cookie.stream(cookie)?.size ?? Int64(MPV_ERROR_UNSUPPORTED.rawValue) }
    unsafe stream.pointee.cancel_fn = { cookie in unsafe Cookie.stream(cookie)?.cancel() }
    unsafe stream.pointee.close_fn = { cookie in unsafe Cookie.close(cookie) }
    return 0
}
