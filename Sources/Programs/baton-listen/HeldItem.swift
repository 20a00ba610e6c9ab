import BatonClient
import BatonSeams
import EventLoop
import Glibc
import WebClient

/// One item of a hub, fetched whole into a file without a name, and played from there.
///
/// What was fetched stays, so that neither a seek nor an outage of the network asks for it again. A read that comes before its bytes waits
/// for them, and what it waits for is fetched first. Its owner runs `fetch`, which returns when all is there.
actor HeldItem: ByteSource {
    nonisolated let length: Int64?
    nonisolated var hasRanges: Bool { true }
    nonisolated var version: ContentVersion? { nil }

    private let source: Source
    private let file: Int32
    private let bytes: Int64
    private var isHere: [Bool]
    /// The piece that is fetched next, if it is not here.
    private var wanted = 0
    private var path: String
    /// The hub did not know the address any more.
    private(set) var isAddressGone = false

    private static let pieceBytes: Int64 = 262_144
    private static let waits = Duration.milliseconds(20)
    private static let firstPause = Duration.milliseconds(250)
    private static let longestPause = Duration.seconds(4)

    /// Where items come from.
    struct Source: Sendable {
        let hub: Endpoint
        let loop: EventLoop
        /// This machine, where it is paired with the hub, which hands its music to no other device.
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

    /// Fetches the beginning, which says how long the item is. Throws a sentence.
    static func open(_ path: String, of source: Source) async throws(SocketsError) -> HeldItem {
        let reply = try await source.get(path, from: 0, count: pieceBytes)
        guard reply.status == 200 || reply.status == 206 else { throw SocketsError(.rejected(status: reply.status), reply.sentence) }
        let total = reply.headers["content-range"]?.split(separator: "/").last.flatMap { Int64($0) } ?? Int64(reply.body.count)
        var name = Array("/tmp/baton-listen-XXXXXX".utf8CString)
        let file = mkstemp(&name)
        // From here on it is there for this program alone, and gone with it.
        guard file >= 0, unlink(name) == 0 else {
            throw SocketsError(.failed, "No file can be made in /tmp, so nothing can be held ahead.")
        }
        let item = HeldItem(source, path, length: total, file: file)
        await item.keep(reply.body, from: 0)
        return item
    }

    /// A newer address of the same bytes.
    func move(to path: String) {
        self.path = path
        isAddressGone = false
    }

    /// How much of it is here, as a part of one.
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

    /// Returns when all is here. A hub that is away is tried again for as long as the item is wanted.
    func fetch() async {
        var pause = Self.firstPause
        while let piece = nextMissing {
            do throws(SocketsError) {
                let first = Int64(piece) * Self.pieceBytes
                let reply = try await source.get(path, from: first, count: Self.pieceBytes)
                isAddressGone = reply.status == 404
                if reply.status == 206 || (reply.status == 200 && Int64(reply.body.count) == bytes) {
                    keep(reply.body, from: reply.status == 206 ? first : 0)
                    pause = Self.firstPause
                    continue
                }
            } catch {
                // The hub is away: what is held is played meanwhile.
            }
            do { try await Task.sleep(for: pause) } catch { return }
            pause = min(pause * 2, Self.longestPause)
        }
    }

    private var nextMissing: Int? {
        if Task.isCancelled { return nil }
        return isHere[min(wanted, isHere.count)...].firstIndex(of: false) ?? isHere.firstIndex(of: false)
    }

    /// Whole pieces count, and the last one where it ends the item.
    private func keep(_ body: [UInt8], from first: Int64) {
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
