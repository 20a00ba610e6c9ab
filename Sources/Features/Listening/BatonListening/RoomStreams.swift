package import BatonCore
import BatonKernel
package import BatonProtocol
package import BatonSeams

/// The parts of the program that streams of rooms need.
package struct StreamParts {
    var encoding: any SoundEncoding
    var cryptography: any Cryptography

    package init(encoding: any SoundEncoding, cryptography: any Cryptography) {
        self.encoding = encoding
        self.cryptography = cryptography
    }
}

/// The endless streams of all rooms, and the links that open them.
@Loop
package final class RoomStreams: StreamAccess, StreamListening {
    private let rooms: RoomList
    private let sources: Sources
    private let clock: HubClock
    private let log: Log
    private var limiter: ProofLimiter
    private(set) var parts: StreamParts?
    private var running: [RoomStream] = []
    /// Number of encoders since the start of the hub.
    package private(set) var encodersStarted = 0

    /// Limit on listeners: more than people have radios. Each costs a connection and its data.
    static let mostListeners = 200

    init(rooms: RoomList, sources: Sources, clock: HubClock, limits: WireLimits, log: Log) {
        self.rooms = rooms
        self.sources = sources
        self.clock = clock
        self.log = log
        limiter = ProofLimiter(ProofLimiter.Limits(limits), atUs: clock.nowUs)
    }

    package func open(_ parts: StreamParts) { self.parts = parts }

    package var listenerCount: Int { running.reduce(0) { $0 + $1.listenerCount } }
    package var streamCount: Int { running.count }

    package func listenerCount(of room: RoomID) -> Int { running.reduce(0) { $0 + ($1.room == room ? $1.listenerCount : 0) } }

    // MARK: Links

    /// Checks a link's key. Keys are compared by hash, so the time of the comparison reveals nothing.
    package func permit(_ room: RoomID, key: String, from address: String) throws(StreamRefusal) -> StreamPermit {
        guard let parts else { throw StreamRefusal(.unavailable, "This hub makes no streams.") }
        if let wait = limiter.wait(address, nil, atUs: clock.nowUs) {
            throw StreamRefusal(.limited, "Too many wrong links came from this address. Wait a minute.", retryAfterMs: wait.afterMs)
        }
        let hash = parts.cryptography.sha256(Array(key.utf8))
        guard let live = rooms[room], let link = live.room.links.all.first(where: { $0.keyHash == hash }) else {
            limiter.fail(address, nil, shown: hash.prefix(7).reduce(0) { $0 << 8 | Int($1) }, atUs: clock.nowUs)
            throw StreamRefusal(
                .badLink,
                "This link was revoked, or there never was one. A person who may control the room makes another: baton listen link")
        }
        return StreamPermit(room: room, link: link.id, roomName: live.room.name)
    }

    private func isGood(_ permit: StreamPermit) -> Bool {
        rooms[permit.room]?.room.links.all.contains { $0.id == permit.link } ?? false
    }

    // MARK: Streams

    package func open(_ permit: StreamPermit, as coding: SoundCoding, titlesEvery: Int?) throws(StreamRefusal) -> HTTPStream {
        guard let parts else { throw StreamRefusal(.unavailable, "This hub makes no streams.") }
        if let trouble = parts.encoding.trouble { throw StreamRefusal(.unavailable, trouble) }
        guard listenerCount < Self.mostListeners else {
            throw StreamRefusal(.unavailable, "\(Self.mostListeners) devices hear streams of this hub already.", retryAfterMs: 30_000)
        }
        let isFirst = listenerCount(of: permit.room) == 0
        let listener = StreamListener(stream(of: permit.room, coding, parts), titlesEvery: titlesEvery)
        if isFirst { sources.events.send(.streamsChanged(permit.room)) }
        var stream = HTTPStream(length: nil, blockingPool: Loop.jobs, mayGoOn: { [weak self] in self?.isGood(permit) ?? false }) {
            _, count in
            await listener.read(count)
        }
        // Radios do not support chunked encoding.
        stream.isPlain = true
        return stream
    }

    private func stream(of room: RoomID, _ coding: SoundCoding, _ parts: StreamParts) -> RoomStream {
        if let stream = running.first(where: { $0.room == room && $0.coding == coding }) { return stream }
        let stream = RoomStream(
            of: room, coding: coding,
            parts: .init(
                streams: self, rooms: rooms, sources: sources, clock: clock, log: log, encoding: parts.encoding,
                blockingPool: sources.blockingPool))
        running.append(stream)
        return stream
    }

    func ended(_ stream: RoomStream) {
        running.removeAll { $0 === stream }
        sources.events.send(.streamsChanged(stream.room))
    }

    func encoderStarted() { encodersStarted += 1 }

    func close() async {
        let all = running
        parts?.encoding.close()
        parts = nil
        for stream in all { await stream.close() }
    }
}

/// A connection that receives a stream.
@Loop
final class StreamListener {
    private let stream: RoomStream
    private let number: Int
    private var next: Int
    private var hasBegun = false
    private var titles: StreamTitles?

    init(_ stream: RoomStream, titlesEvery: Int?) {
        self.stream = stream
        number = stream.newListener()
        next = stream.pieces.start
        titles = titlesEvery.map(StreamTitles.init(every:))
    }

    /// The available pieces up to a number of bytes, and at least one, which it waits for. `nil` when the stream has ended,
    /// or this listener is too far behind.
    func read(_ count: Int) async -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count / 2 {
            if !bytes.isEmpty, stream.pieces[next] == .later { break }
            guard case .piece(let piece) = await stream.piece(next, for: number) else { return bytes.isEmpty ? nil : bytes }
            next += 1
            let sound = hasBegun ? piece.bytes : piece.head + piece.bytes
            if !sound.isEmpty { hasBegun = true }
            bytes += titles?.add(sound, title: piece.title) ?? sound
        }
        return bytes
    }
}
