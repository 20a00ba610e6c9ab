package import BatonCore
import BatonKernel
package import BatonSeams

/// The encoder for devices that play along, and the store of encoded items.
package struct TranscodeParts {
    var encoding: any SoundEncoding
    var store: any TrackKeeping
    /// Number of items that are encoded at the same time.
    var atOnce: Int

    package init(encoding: any SoundEncoding, store: any TrackKeeping, atOnce: Int) {
        self.encoding = encoding
        self.store = store
        self.atOnce = atOnce
    }
}

/// Items in other encodings. Each is encoded once for all devices, and stored for later requests.
///
/// A request waits a few seconds. A longer encoding, such as a book, goes on for later requests, and this one gets the
/// original, which every device can play if its network is fast enough.
@Loop
package final class Transcodes: ItemEncoding {
    private let sources: Sources
    private let clock: HubClock
    private let log: Log
    private var parts: TranscodeParts?
    private var running: [ItemURI: Task<Void, Never>] = [:]
    /// Encodings that wait for another to end, in order.
    private var queue: [CheckedContinuation<Void, Never>] = []
    private var busy = 0
    private var waiting: [ItemURI: [Waiter]] = [:]
    /// The time until which an item that failed is not tried again.
    private var refusedUntilUs: [ItemURI: Microseconds] = [:]
    private var isClosed = false
    /// Number of encodings since the start of the hub.
    package private(set) var encoded = 0

    /// A request that waits for an item, up to its time limit.
    @Loop
    private final class Waiter {
        private var continuation: CheckedContinuation<Void, Never>?

        init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }

        func resume() {
            continuation?.resume()
            continuation = nil
        }
    }

    /// Time limit of a request: less than devices wait for an answer.
    private static let patience = Duration.seconds(7)
    private static let refusalUs: Microseconds = 60_000_000
    private static let mostRefusals = 200
    /// Limit on items in progress: more than the devices of a hub want at once.
    private static let mostRunning = 64

    init(sources: Sources, clock: HubClock, log: Log) {
        self.sources = sources
        self.clock = clock
        self.log = log
    }

    package func open(_ parts: TranscodeParts) { self.parts = parts }

    package func encoded(_ playable: Playable, of uri: ItemURI, as coding: SoundCoding) async -> Playable? {
        guard let parts, !isClosed, case .file(let file) = playable.location, !playable.isLive else { return nil }
        let key = Self.key(of: file, uri: uri, as: coding)
        if !parts.store.has(key) {
            guard running[key] != nil || running.count < Self.mostRunning, clock.nowUs >= refusedUntilUs[key] ?? 0 else { return nil }
            if running[key] == nil { begin(key, from: file, as: coding, with: parts) }
            await wait(for: key)
        }
        guard parts.store.has(key),
            let copy = try? await sources.inBlockingPool({ () async throws(SourceFault) in parts.store.copy(of: key) })
        else { return nil }
        var result = playable
        result.location = .file(NamedFile("encoded.\(coding.codec.rawValue)", copy.content))
        return result
    }

    /// The cache key. A changed file has another one.
    private static func key(of file: NamedFile, uri: ItemURI, as coding: SoundCoding) -> ItemURI {
        let stamp = file.content.stamp
        return ItemURI("\(coding.codec.rawValue)\(coding.kilobits):\(stamp.size)-\(stamp.modifiedNs)-\(stamp.inode):\(uri.text)")
    }

    private func wait(for key: ItemURI) async {
        await withCheckedContinuation { continuation in
            let waiter = Waiter(continuation)
            waiting[key, default: []].append(waiter)
            _ = clock.after(Self.patience) { waiter.resume() }
        }
    }

    private func begin(_ key: ItemURI, from file: NamedFile, as coding: SoundCoding, with parts: TranscodeParts) {
        running[key] = Task(executorPreference: Loop.jobs) { [weak self] in await self?.make(key, from: file, as: coding, with: parts) }
    }

    private func make(_ key: ItemURI, from file: NamedFile, as coding: SoundCoding, with parts: TranscodeParts) async {
        if busy >= parts.atOnce { await withCheckedContinuation { queue.append($0) } } else { busy += 1 }
        // A crash may have another cause, so the file gets a second encoder. After two crashes it is not tried again.
        if !isClosed, await !keep(key, from: file, as: coding, with: parts), !isClosed {
            _ = await keep(key, from: file, as: coding, with: parts)
        }
        if queue.isEmpty { busy -= 1 } else { queue.removeFirst().resume() }
        running[key] = nil
        if !parts.store.has(key) {
            if refusedUntilUs.count >= Self.mostRefusals { refusedUntilUs = [:] }
            refusedUntilUs[key] = clock.nowUs + Self.refusalUs
        }
        for waiter in waiting.removeValue(forKey: key) ?? [] { waiter.resume() }
    }

    /// Encodes and stores an item. True when another attempt is useless.
    private func keep(_ key: ItemURI, from file: NamedFile, as coding: SoundCoding, with parts: TranscodeParts) async -> Bool {
        let bytes = EncodedBytes(of: file, as: coding, by: parts.encoding)
        let mayGoOn: @Sendable () async -> Bool = { [weak self] in await self?.isClosed == false }
        do throws(SourceFault) {
            try await sources.inBlockingPool(isQuiet: true) { () async throws(SourceFault) in
                try await parts.store.keep(NamedBytes("encoded.\(coding.codec.rawValue)", bytes), of: key, while: mayGoOn)
            }
            encoded += 1
            return true
        } catch {
            if !isClosed { log(.warning, "An item was not encoded: \(error.sentence)") }
            return error.code != .unavailable
        }
    }

    func close() async {
        isClosed = true
        for one in queue { one.resume() }
        queue = []
        for task in running.values { await task.value }
    }
}

/// A file from an encoder, read once from its beginning.
actor EncodedBytes: ByteSource {
    nonisolated let length: Int64? = nil
    nonisolated let hasRanges = false
    nonisolated let version: ContentVersion? = nil

    private let file: NamedFile
    private let coding: SoundCoding
    private let encoding: any SoundEncoding
    private var work: (any EncodingWork)?
    private var pending: [UInt8] = []
    private var hasEnded = false

    private static let pieceMs: Milliseconds = 10_000

    init(of file: NamedFile, as coding: SoundCoding, by encoding: any SoundEncoding) {
        self.file = file
        self.coding = coding
        self.encoding = encoding
    }

    func read(at position: Int64, count: Int) async throws(SourceFault) -> [UInt8] {
        do throws(EncodingFault) {
            while pending.isEmpty, !hasEnded { try more() }
        } catch {
            work?.close()
            throw SourceFault(error.isOver ? .unavailable : .unsupported, error.sentence)
        }
        let piece = Array(pending.prefix(count))
        pending.removeFirst(piece.count)
        return piece
    }

    private func more() throws(EncodingFault) {
        if let work {
            let piece = try work.rest(ms: Self.pieceMs)
            pending += piece.bytes
            hasEnded = piece.hasEnded
            if hasEnded { work.close() }
        } else {
            let fresh = try encoding.begin(coding)
            work = fresh
            let begun = try fresh.play(EncodingSource(title: "", artist: "", .file(file)))
            pending += begun.bytes + begun.head
        }
    }
}
