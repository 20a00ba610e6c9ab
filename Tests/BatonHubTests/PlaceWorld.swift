import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import BatonLibrary
@testable import Companion

/// A hub whose places outlive it, and a remote that plays three entries of speech on it.
@Loop
final class PlaceWorld {
    nonisolated static let first = "file:track//book:3/1"

    let places = MemoryPlaces()
    let marks = MemoryUserMarks()
    let sim: SimulatedHub
    private(set) var remote: TestRemote
    private var presses = 0

    init() throws {
        sim = try SimulatedHub(trackMs: 600_000, library: LibraryParts(userMarks: marks, places: places))
        remote = try sim.remote(id: "owner-1")
    }

    func restart() throws {
        try sim.restart()
        remote = try sim.remote(id: "owner-1")
    }

    func play(_ uri: String = "/book:3") async throws {
        await remote.play(uri, of: sim)
        try await speaks()
    }

    /// What plays names chapters, as books do.
    func speaks() async throws {
        try await until(sim) { [sim] in sim.player.playing != nil }
        let entry = try #require(sim.player.playing)
        sim.player.tell(.chapters(entry, [0, 50_000].map { ChapterList.Mark(title: "", startMs: $0) }))
    }

    func send(_ command: some WireCommand, key: String? = nil, in room: RoomID? = nil) async throws -> ReceivedReply {
        presses += 1
        let id = remote.send(command, key: key ?? "press-\(presses)", room: room)
        try await until(sim) { [remote] in remote.reply(id) != nil }
        return try #require(remote.reply(id))
    }

    /// The place has come so far, and not much further.
    func reaches(_ seconds: Int, in uri: String = first) async throws {
        let range = Milliseconds.seconds(seconds - 3)...Milliseconds.seconds(seconds + 60)
        try await until(sim) { [places] in places.current(uri).map { range.contains($0.positionMs) } == true }
    }
}
