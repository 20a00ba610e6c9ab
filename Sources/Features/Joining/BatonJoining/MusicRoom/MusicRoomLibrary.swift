/// The server's library, cached in memory, because the server sends it only as a whole, has no search, and lists
/// playlists by track ids.
///
/// A copy older than a minute is refreshed on use. An unchanged list is not parsed again, so that the revision counts
/// real changes.
import BatonCore
import BatonSeams

actor MusicRoomLibrary {
    struct Content: Sendable {
        fileprivate(set) var tracks: [MusicRoomTrack] = []
        /// Search text of each track.
        fileprivate(set) var folded: [String] = []
        fileprivate(set) var places: [String: Int] = [:]
        fileprivate(set) var revision = 0

        func track(_ id: String) -> MusicRoomTrack? { places[id].map { tracks[$0] } }
    }

    private let server: MusicRoomServer
    private let answers: MusicRoomAnswers
    private let clock: Clock
    private var content = Content()
    private var hash: UInt64?
    private var readMs: Milliseconds?
    /// The current refresh. It continues when its caller gives up, so that a long list over a slow line is ready for
    /// the next call.
    private var reading: Task<Result<Void, SourceFault>, Never>?

    /// Age from which the library is refreshed in the background.
    private static let freshMs: Milliseconds = 60_000
    /// Age from which callers wait for the refresh.
    private static let goodMs: Milliseconds = 600_000
    static let mostTracks = 200_000

    init(of server: MusicRoomServer, answers: MusicRoomAnswers, clock: Clock) {
        self.server = server
        self.answers = answers
        self.clock = clock
    }

    /// The track, however old the library is.
    func known(_ id: String) -> MusicRoomTrack? { content.track(id) }

    func whole() async throws(SourceFault) -> Content {
        let ageMs = readMs.map { clock.nowMs - $0 } ?? .max
        if ageMs < Self.freshMs { return content }
        let task = begin()
        if ageMs < Self.goodMs { return content }
        try await task.value.get()
        return content
    }

    /// Starts a refresh, or returns the current one.
    @discardableResult
    func begin() -> Task<Result<Void, SourceFault>, Never> {
        if let reading { return reading }
        let task = Task { await read() }
        reading = task
        return task
    }

    /// Starts the first refresh, if none has succeeded.
    func prepare() { if readMs == nil { begin() } }

    private func read() async -> Result<Void, SourceFault> {
        defer { reading = nil }
        do throws(SourceFault) {
            let bytes = try await server.bytes("/api/library")
            let hash = Self.hash(of: bytes)
            if hash != self.hash {
                content = try read(bytes)
                self.hash = hash
            }
            readMs = clock.nowMs
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    private func read(_ bytes: [UInt8]) throws(SourceFault) -> Content {
        guard let tracks = answers.tracks(bytes) else {
            throw SourceFault(.failed, "“\(server.title)” answers with something that is no library.")
        }
        guard tracks.count <= Self.mostTracks else {
            throw SourceFault(
                .tooLarge, "“\(server.title)” has more than \(Self.mostTracks) tracks, which is more than the hub keeps of it.")
        }
        var new = Content()
        new.revision = content.revision + 1
        new.tracks.reserveCapacity(tracks.count)
        for track in tracks where new.places[track.id] == nil {
            new.places[track.id] = new.tracks.count
            new.tracks.append(track)
            new.folded.append(Folding.fold("\(track.title) \(track.artist) \(track.filename)"))
        }
        return new
    }

    /// FNV-1a with eight bytes a step.
    private static func hash(of bytes: [UInt8]) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var word: UInt64 = 0
        for (index, byte) in bytes.enumerated() {
            word = word << 8 | UInt64(byte)
            if index & 7 == 7 {
                hash = (hash ^ word) &* 0x100_0000_01B3
                hash ^= hash >> 29
            }
        }
        return (hash ^ word ^ UInt64(bytes.count)) &* 0x100_0000_01B3
    }
}
