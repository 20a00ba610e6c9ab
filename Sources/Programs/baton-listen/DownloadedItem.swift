import BatonClient
import BatonSeams
import EventLoop
import Glibc
import WebClient

/// An item of a hub, downloaded completely to an unnamed file and played from there.
///
/// Downloaded bytes stay, so that neither a seek nor a network outage requests them again. A read waits for missing
/// bytes, which are then downloaded first. Its owner runs `fetch`, which returns when the download is complete.
actor DownloadedItem: ByteSource {
    nonisolated let length: Int64?
    nonisolated var hasRanges: Bool { true }
    nonisolated var version: ContentVersion? { nil }

    private let source: Source
    private let file: Int32
    private let bytes: Int64
    private var isHere: [Bool]
    /// The piece that is downloaded next, if it is missing.
    private var wanted = 0
    private var path: String
    /// The hub answered that the address is invalid.
    private(set) var isAddressGone = false

    private static let pieceBytes: Int64 = 262_144
    private static let waits = Duration.milliseconds(20)
    private static let firstPause = Duration.milliseconds(250)
    private static let longestPause = Duration.seconds(4)

    /// The hub from which items are downloaded.
    struct Source: Sendable {
        let hub: Endpoint
        let loop: EventLoop
        /// This machine's pairing with the hub, which sends music only to paired devices.
        let credential: Credential?

        func get(_ path: String, from first: Int64, count: Int64) async throws(SocketsError) -> HTTPReply {
            var headers = [(name: "range", value: "bytes=\(first)-\(first + count - 1)")]
            if let credential { headers.append(credential.bearer) }
            return try await Client.request(.get, path, of: hub, headers: headers, on: loop, timeout: .seconds(10))
        }
    }

    private init(_ source: Source, _ path: String, length: Int64, file: Int32) {
        self.source = source
        self.path = path
        self.file = file
        self.length = length
        bytes = length
        isHere = Array(repeating: false, count: Int((length + Self.pieceBytes - 1) / Self.pieceBytes))
    }

    deinit { close(file) }

    /// Downloads the beginning, which includes the item's length. Throws a sentence.
    static func open(_ path: String, of source: Source) async throws(SocketsError) -> DownloadedItem {
        let reply = try await source.get(path, from: 0, count: pieceBytes)
        guard reply.status == 200 || reply.status == 206 else { throw SocketsError(.rejected(status: reply.status), reply.sentence) }
        let total = reply.headers["content-range"]?.split(separator: "/").last.flatMap { Int64($0) } ?? Int64(reply.body.count)
        var name = Array("/tmp/baton-listen-XXXXXX".utf8CString)
        let file = mkstemp(&name)
        // From here on only this program can reach the file, and it disappears when the program ends.
        guard file >= 0, unlink(name) == 0 else {
            throw SocketsError(.failed, "No file can be made in /tmp, so nothing can be held ahead.")
        }
        let item = DownloadedItem(source, path, length: total, file: file)
        await item.store(reply.body, from: 0)
        return item
    }

    /// Sets a newer address of the same bytes.
    func move(to path: String) {
        self.path = path
        isAddressGone = false
    }

    /// The downloaded share, from 0 to 1.
    var heldPart: Double { isHere.isEmpty ? 1 : Double(isHere.count { $0 }) / Double(isHere.count) }

    // MARK: Reading

    func read(at position: Int64, count: Int) async throws(SourceFault) -> [UInt8] {
        guard position >= 0, position < bytes else { return [] }
        let piece = Int(position / Self.pieceBytes)
        while !isHere[piece] {
            wanted = piece
            do { try await Task.sleep(for: Self.waits) } catch { throw SourceFault(.cancelled, "The item is not wanted any more.") }
        }
        var end = piece
        while end + 1 < isHere.count, isHere[end + 1], Int64(end + 1) * Self.pieceBytes - position < Int64(count) { end += 1 }
        let there = min(Int64(end + 1) * Self.pieceBytes, bytes) - position
        var room = [UInt8](repeating: 0, count: Int(min(Int64(count), there)))
        let got = pread(file, &room, room.count, off_t(position))
        guard got > 0 else { throw SourceFault(.unreadable, "What was held ahead cannot be read again.") }
        return Array(room.prefix(got))
    }

    // MARK: Fetching

    /// Downloads the whole item. While the hub is away, it retries until the task is cancelled.
    func fetch() async {
        var pause = Self.firstPause
        while let piece = nextMissing {
            do throws(SocketsError) {
                let first = Int64(piece) * Self.pieceBytes
                let reply = try await source.get(path, from: first, count: Self.pieceBytes)
                isAddressGone = reply.status == 404
                if reply.status == 206 || (reply.status == 200 && Int64(reply.body.count) == bytes) {
                    store(reply.body, from: reply.status == 206 ? first : 0)
                    pause = Self.firstPause
                    continue
                }
            } catch {
                // While the hub is away, the downloaded part plays.
            }
            do { try await Task.sleep(for: pause) } catch { return }
            pause = min(pause * 2, Self.longestPause)
        }
    }

    private var nextMissing: Int? {
        if Task.isCancelled { return nil }
        return isHere[min(wanted, isHere.count)...].firstIndex(of: false) ?? isHere.firstIndex(of: false)
    }

    /// Stores bytes and marks complete pieces; the last piece may be shorter.
    private func store(_ body: [UInt8], from first: Int64) {
        guard first < bytes, !body.isEmpty, body.withUnsafeBytes({ pwrite(file, $0.baseAddress, $0.count, off_t(first)) }) == body.count
        else { return }
        var piece = Int(first / Self.pieceBytes)
        let end = first + Int64(body.count)
        while piece < isHere.count, min(Int64(piece + 1) * Self.pieceBytes, bytes) <= end {
            isHere[piece] = true
            piece += 1
        }
    }
}
