/// How pieces that were made here are found: on one shelf, which is there once something stands on it.
import BatonCore
import BatonSeams
import Harness
import Testing

@testable import MusicWorkers

@Suite struct GenerationShelfTests {
    private let jobs = MemoryJobs()
    private var connector: GenerationConnector { GenerationConnector(jobs, cover: { _ in [] }, remake: { _ throws(SourceFault) in }) }

    private func make(_ id: String, _ prompt: String) throws {
        var job = GenerationJob(
            id: id, worker: "composer", request: GenerationRequest(prompt: prompt, durationS: 60, seed: "1"), author: nil, startedMs: 0,
            room: nil, playsWhenReady: false)
        _ = job.take(.finished(GeneratedPiece(durationMs: 60_000, sound: "sound.flac")), atMs: 1)
        try jobs.put(job, once: nil)
    }

    @Test func `pieces stand on a shelf, and are none themselves`() async throws {
        let window = PageWindow(limit: 80)
        #expect(try await connector.browse(BrowseQuery(window: window)).rows.isEmpty)
        try make("Zk3f9Q2b", "rain")
        try make("p0Wq8cX1", "snow")

        let top = try await connector.browse(BrowseQuery(window: window)).rows
        #expect(top.map(\.tags.kind) == [.shelf] && top.map(\.tags.title) == ["Generated"])
        let shelf = try #require(top.first?.uri)
        #expect(try await connector.details(of: shelf).row.tags.kind == .shelf)
        let rows = try await connector.browse(BrowseQuery(node: shelf, window: window)).rows
        #expect(Set(rows.map(\.tags.title)) == ["rain", "snow"] && rows.allSatisfy { $0.tags.kind == .generation })
        await #expect(throws: SourceFault.self) { try await connector.browse(BrowseQuery(node: rows[0].uri, window: window)) }
    }
}
