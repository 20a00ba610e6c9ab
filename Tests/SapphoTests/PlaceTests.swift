/// Places at a Sappho server: read, written, and what other devices do there meanwhile.
import BatonCore
import BatonSeams
import ServerConnectors
import Testing

@Suite struct PlaceTests {
    private let host: SapphoHost

    init() throws { host = try SapphoHost() }

    private func note(
        _ ms: Milliseconds, finished: Bool = false, _ state: ServerPlaceNote.State = .playing, over: ServerPlace? = nil
    ) -> WriteBack {
        .progress(ServerPlaceNote("shelf:book/1", ServerPlace(positionMs: ms, isFinished: finished), state: state, on: "Den", over: over))
    }

    @Test func `a place is sent in whole seconds with its state and the room, and read again`() async throws {
        let sappho = try host.account()
        #expect(try await sappho.place(of: "shelf:book/1") == nil)
        try await sappho.writeBack(note(615_900), atMs: 0)

        let there = try await host.ask(.get, "/api/audiobooks/1/progress")
        #expect(there["position"]?.int == 615 && there["completed"]?.int == 0)
        let session = try await host.ask(.get, "/api/sessions")["sessions"]?.array?.first
        #expect(session?["clientName"]?.string == "Den" && session?["state"]?.string == "playing")
        #expect(try await sappho.place(of: "shelf:book/1")?.positionMs == 615_000)
        #expect(try await sappho.hasReached(note(615_900), atMs: 0) == true)
        try await sappho.writeBack(note(630_000, .paused), atMs: 0)
        #expect(try await host.ask(.get, "/api/sessions")["sessions"]?.array?.first?["state"]?.string == "paused")
    }

    @Test func `the end is position 0 and finished, and a book that is begun again is no longer finished`() async throws {
        let sappho = try host.account()
        try await sappho.writeBack(note(3_600_000, finished: true), atMs: 0)
        let end = try await host.ask(.get, "/api/audiobooks/1/progress")
        #expect(end["position"]?.int == 0 && end["completed"]?.int == 1)

        let finished = try #require(try await sappho.place(of: "shelf:book/1"))
        #expect(finished.isFinished && finished.positionMs == 0)
        try await sappho.writeBack(note(60_000, over: finished), atMs: 0)
        let again = try await host.ask(.get, "/api/audiobooks/1/progress")
        #expect(again["position"]?.int == 60 && again["completed"]?.int == 0)
    }

    @Test func `a place at the beginning, which the server does not take, takes the old one away`() async throws {
        let sappho = try host.account()
        try await sappho.writeBack(note(600_000), atMs: 0)
        try await sappho.writeBack(note(0, .stopped, over: try await sappho.place(of: "shelf:book/1")), atMs: 0)
        #expect(try await sappho.place(of: "shelf:book/1") == nil)
        try await sappho.writeBack(note(2_000), atMs: 0)
        #expect(try await sappho.place(of: "shelf:book/1") == nil)
    }

    @Test func `the time of a place is that of this hub's clock, however wrong the server's is`() async throws {
        try await host.set(["ahead": "86400"])
        let sappho = try host.account()
        try await host.ask(.post, "/api/audiobooks/1/progress", "{\"position\":100}")
        let atMs = try #require(try await sappho.place(of: "shelf:book/1")?.atMs)
        // A day is told from what a slow machine needs between the two requests.
        #expect((atMs - host.nowMs.withLock { $0 }).magnitude < 3_600_000)
    }

    @Test func `a book that is gone is said to be gone, so that its place does not wait for ever`() async throws {
        let sappho = try host.account()
        let lost = WriteBack.progress(ServerPlaceNote("shelf:book/99", ServerPlace(positionMs: 60_000), state: .playing, on: "Den"))
        #expect(await sappho.fault { try await $0.writeBack(lost, atMs: 0) }?.code == .notFound)
    }

    @Test func `what another device of the person plays is gone on with, and this hub's own rooms are not`() async throws {
        let sappho = try host.account()
        #expect(try await sappho.savedQueue() == nil)
        try await sappho.writeBack(note(60_000), atMs: 0)
        #expect(try await sappho.savedQueue() == nil)
        let body = "{\"position\":1200,\"clientInfo\":{\"name\":\"Phone\",\"platform\":\"iOS\"}}"
        try await host.ask(.post, "/api/audiobooks/2/progress", body)
        let saved = try #require(try await sappho.savedQueue())
        #expect(saved.entries.map(\.uri) == ["shelf:book/2"] && saved.positionMs == 1_200_000 && saved.savedBy == "Phone")
    }
}
