/// A hub in memory with the dialect of MPD, songs, stickers and passwords: the world of the tests of sessions.
import BatonCore
import BatonHub
import BatonProtocol
import BatonSeams
import Harness

@testable import MPD

@Loop
final class MPDWorld {
    let sim: SimulatedHub
    let songs: MemorySongs
    let stickers = MemoryStickers()
    let passwords = MemoryPasswords()
    let mpd: MPD

    init(
        volume: VolumeRail = VolumeRail(level: 30, ceiling: 100, startMax: 100), trackMs: Milliseconds = 180_000, titleBytes: Int = 0
    ) throws {
        songs = MemorySongs(titleBytes: titleBytes)
        sim = try SimulatedHub(volume: volume, trackMs: trackMs)
        let time = sim.time
        mpd = MPD(
            sim.hub.ports,
            .init(
                songs: { [songs] in songs }, stickers: { [stickers] in stickers }, passwords: { [passwords] in passwords },
                wallMs: { 1_700_000_000_000 + Milliseconds(time.nowUs) }, random: { 7 }))
        sim.hub.add(mpd)
    }

    /// A program that has just connected. Programs of the socket file are admins.
    func connect(over channel: Peer.Channel = .unix(uid: 0, gid: 0), from address: String = "unix") -> LinePeer {
        let peer = LinePeer(Peer(channel: channel, address: address), sim.time)
        peer.owner = mpd.admit(peer)
        return peer
    }

    /// A program whose room plays these songs.
    func playing(_ paths: [String] = ["a.flac", "b.flac", "c.flac"]) async -> LinePeer {
        let peer = connect()
        for path in paths { await peer.ask("add \(path)") }
        await peer.ask("play 0")
        await sim.time.passQuietly(.milliseconds(100))
        return peer
    }
}

/// A connection of lines in memory. It keeps what it was sent, and may stop reading.
@Loop
final class LinePeer: LineConnection {
    let peer: Peer
    private let time: VirtualTime
    weak var owner: (any LineOwner)?
    var idle: Duration? = .seconds(60)
    private(set) var isClosed = false
    /// All that came, in lines.
    private(set) var lines: [String] = []
    /// Number of bytes that came.
    private(set) var bytes = 0
    private var rest: [UInt8] = []
    private var waiting: [[UInt8]] = []
    private var isPaused = false
    private var isDelivering = false
    private(set) var unsentBytes = 0
    var isReading = true {
        didSet {
            guard isReading, unsentBytes > 0 else { return }
            unsentBytes = 0
            owner?.lineWritable()
        }
    }

    init(_ peer: Peer, _ time: VirtualTime) {
        self.peer = peer
        self.time = time
    }

    func write(_ bytes: [UInt8]) {
        guard !isClosed else { return }
        self.bytes += bytes.count
        if !isReading { unsentBytes += bytes.count }
        rest += bytes
        while let end = rest.firstIndex(of: 0x0A) {
            lines.append(String(decoding: rest[..<end], as: UTF8.self))
            rest = Array(rest[(end + 1)...])
        }
    }

    func pause() { isPaused = true }

    func resume() {
        guard isPaused else { return }
        isPaused = false
        deliver()
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        owner?.lineClosed()
        owner = nil
    }

    private func deliver() {
        guard !isDelivering else { return }
        isDelivering = true
        while !isPaused, !isClosed, !waiting.isEmpty { owner?.received(line: waiting.removeFirst()) }
        isDelivering = false
    }

    // MARK: As a program

    func send(_ line: String) { send(Array(line.utf8)) }

    func send(_ line: [UInt8]) {
        waiting.append(line)
        deliver()
    }

    /// The answer that has come so far.
    func take() -> [String] {
        defer { lines = [] }
        return lines
    }

    private var isAnswered: Bool { isClosed || lines.last == "OK" || lines.last?.hasPrefix("ACK [") == true }

    /// The answer to a line, without `OK` at its end.
    @discardableResult
    func ask(_ line: String) async -> [String] { await ask([line]) }

    /// The answer to the last of these lines.
    @discardableResult
    func ask(_ sent: [String]) async -> [String] {
        lines = []
        for line in sent { send(line) }
        _ = await time.until(within: .seconds(10)) { isAnswered }
        var answer = take()
        if answer.last == "OK" { answer.removeLast() }
        return answer
    }

    /// The value of this name in an answer.
    func value(_ line: String, _ name: String) async -> String? {
        let beginning = "\(name): "
        return await ask(line).first { $0.hasPrefix(beginning) }.map { String($0.dropFirst(beginning.count)) }
    }
}
