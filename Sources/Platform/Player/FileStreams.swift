import BatonSeams
import CMPV
import Glibc
import Synchronization

/// The files that libmpv may open now, each under an address of ours: `baton-file://7.flac`.
///
/// libmpv never opens a path: what was checked when the file was opened would have to be checked again, and a
/// descriptor in the address (`fd://`) has one place in the file for all who read it, while libmpv may open the
/// next entry before the last one is closed, and the same entry twice. So each opening here is a reader with a
/// place of its own, on the descriptor that the source opened.
///
/// Which thread calls: libmpv's demuxers, any of them, which may wait for the disk. How long borrowed memory
/// lives: the buffer for the call. What comes in pairs: every opening and its closing; each of them keeps the file
/// open, also when it was withdrawn meanwhile.
@safe final class FileStreams: Sendable {
    static let scheme = "baton-file"

    private let files = Mutex<[Int: NamedFile]>([:])

    /// The number is that of the order, so no two openings that libmpv was asked for are confused.
    func offer(_ file: NamedFile, as number: Int) { files.withLock { $0[number] = file } }

    /// All others are withdrawn.
    func keep(only numbers: [Int]) { files.withLock { files in files = files.filter { numbers.contains($0.key) } } }

    /// Has `core` open our addresses here. It keeps us for as long as it may ask, which is until `left`.
    func serve(_ core: OpaquePointer) -> Int32 {
        unsafe baton_mpv_stream_cb_add_ro(core, Self.scheme, Unmanaged.passRetained(self).toOpaque(), openStream)
    }

    /// After `core` has ended.
    func left() { unsafe Unmanaged.passUnretained(self).release() }

    /// The ending says what the file pretends to be, as its name did.
    static func address(_ number: Int, of file: NamedFile) -> String {
        let name = file.path.utf8.split(separator: UInt8(ascii: "/")).last ?? []
        let end = name.lastIndex(of: UInt8(ascii: ".")).map { name[name.index(after: $0)...] } ?? []
        let isPlain = (1...10).contains(end.count) && end.allSatisfy(Self.isLetterOrDigit)
        return "\(scheme)://\(number)" + (isPlain ? ".\(String(decoding: end, as: UTF8.self))" : "")
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }

    fileprivate func reading(_ address: String) -> OpenStream? {
        let rest = address.dropFirst("\(Self.scheme)://".count)
        guard let number = Int(rest.prefix { $0 != "." }) else { return nil }
        return files.withLock { $0[number] }.map { OpenStream($0.content) }
    }
}

/// One opening of a file, with its place. libmpv uses it from one thread at a time.
@safe private final class OpenStream: @unchecked Sendable {
    let file: any FileRange
    var place: Int64 = 0

    init(_ file: any FileRange) { self.file = file }

    func read(into buffer: UnsafeMutablePointer<CChar>, count: UInt64) -> Int64 {
        while true {
            let got = unsafe pread(file.descriptor, buffer, Int(clamping: count), Int(place))
            if got < 0, errno == EINTR { continue }
            if got > 0 { place += Int64(got) }
            return Int64(got)
        }
    }

    /// Now, since a file may grow while it is heard.
    var size: Int64 {
        var status = stat()
        return unsafe fstat(file.descriptor, &status) == 0 ? Int64(status.st_size) : file.stamp.size
    }

    static func of(_ cookie: UnsafeMutableRawPointer?) -> OpenStream? {
        unsafe cookie.map { unsafe Unmanaged<OpenStream>.fromOpaque($0).takeUnretainedValue() }
    }
}

private func openStream(
    _ streams: UnsafeMutableRawPointer?, _ address: UnsafeMutablePointer<CChar>?, _ stream: UnsafeMutablePointer<mpv_stream_cb_info>?
) -> Int32 {
    guard let streams = unsafe streams, let address = unsafe address, let stream = unsafe stream,
        let reading = unsafe Unmanaged<FileStreams>.fromOpaque(streams).takeUnretainedValue().reading(String(cString: address))
    else { return MPV_ERROR_LOADING_FAILED.rawValue }
    unsafe stream.pointee.cookie = Unmanaged.passRetained(reading).toOpaque()
    unsafe stream.pointee.read_fn = { cookie, buffer, count in
        guard let reading = unsafe OpenStream.of(cookie), let buffer = unsafe buffer else { return -1 }
        return unsafe reading.read(into: buffer, count: count)
    }
    unsafe stream.pointee.seek_fn = { cookie, place in
        guard let reading = unsafe OpenStream.of(cookie), place >= 0 else { return Int64(MPV_ERROR_GENERIC.rawValue) }
        reading.place = place
        return place
    }
    unsafe stream.pointee.size_fn = { cookie in unsafe OpenStream.of(cookie)?.size ?? Int64(MPV_ERROR_UNSUPPORTED.rawValue) }
    unsafe stream.pointee.close_fn = { cookie in
        if let cookie = unsafe cookie { unsafe Unmanaged<OpenStream>.fromOpaque(cookie).release() }
    }
    return 0
}
