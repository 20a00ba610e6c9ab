/// The outbox on disk: order, replacement, tries, and what a fault at any step leaves.
import BatonCore
import BatonSeams
import Foundation
import Harness
import Testing

@testable import Stores

func withSources<Result>(_ body: (SourceStore) throws -> Result) throws -> Result {
    try withFolder { folder in
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let store = try SourceStore(folder: folder)
        defer { store.close() }
        return try body(store)
    }
}

struct OutboxTests {
    private let song = ItemURI("home:track/1")
    private let other = ItemURI("home:track/2")

    @Test func `notes come back as they were`() throws {
        try withSources { store in
            let notes: [WriteBack] = [
                .favourite(song, true), .stars(song, 4), .played(song, atMs: 1_700_000_000_000),
                .progress(ServerPlaceNote(other, ServerPlace(positionMs: 90_000, isFinished: true), state: .paused, on: "Den")),
                .queue([song, other, song], current: other, ms: 12), .queue([], current: nil, ms: 0),
            ]
            for (at, note) in notes.enumerated() { try store.add(note, for: at < 5 ? "home" : "away", atMs: Milliseconds(at)) }

            #expect(try store.pending(of: "home", limit: 10).map(\.note) == Array(notes.prefix(5)))
            #expect(try store.pending(of: "away", limit: 10).map(\.note) == [notes[5]])
            #expect(try store.pending(of: "home", limit: 10).map(\.atMs) == [0, 1, 2, 3, 4])
        }
    }

    @Test func `a later note takes the place of one that was not tried, and each play counts`() throws {
        try withSources { store in
            try store.add(.favourite(song, true), for: "home", atMs: 1)
            try store.add(.played(song, atMs: 1), for: "home", atMs: 1)
            try store.add(.favourite(song, false), for: "home", atMs: 2)
            try store.add(.played(song, atMs: 2), for: "home", atMs: 2)
            #expect(
                try store.pending(of: "home", limit: 10).map(\.note) == [
                    .played(song, atMs: 1), .favourite(song, false), .played(song, atMs: 2),
                ])

            let first = try #require(try store.next(for: "home"))
            try store.finish(first.id)
            let favourite = try #require(try store.next(for: "home"))
            #expect(try store.begin(favourite.id))
            try store.add(.favourite(song, true), for: "home", atMs: 3)

            #expect(
                try store.pending(of: "home", limit: 10).map(\.note) == [
                    .favourite(song, false), .played(song, atMs: 2), .favourite(song, true),
                ])
            #expect(try store.begin(9_999) == false)
        }
    }

    @Test func `a note that its server does not take holds up its own item only`() throws {
        try withSources { store in
            try store.add(.stars(song, 1), for: "home", atMs: 1)
            try store.add(.played(song, atMs: 2), for: "home", atMs: 2)
            try store.add(.stars(other, 2), for: "home", atMs: 3)
            let first = try #require(try store.next(for: "home"))
            #expect(try store.begin(first.id))
            try store.store(first.id, "It was busy.", isUncertain: false)

            let second = try #require(try store.next(for: "home"))
            #expect(second.note == .stars(other, 2))
            try store.finish(second.id)
            let again = try #require(try store.next(for: "home"))
            #expect(again.note == .stars(song, 1))
            #expect(again.tries == 1 && !again.isUncertain && again.sentence == "It was busy.")

            try store.refuse(again.id, "There is no such song.")
            #expect(try store.next(for: "home")?.note == .played(song, atMs: 2))
            #expect(try store.counts()["home"] == OutboxCount(pending: 1, refused: 1, delivered: 1))
            #expect(try store.pendingItems().isEmpty)
            #expect(try store.drop(of: "home") == 2)
            #expect(try store.next(for: "home") == nil)
        }
    }

    @Test func `a try outlives the process, and a play that is sent again is counted`() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let store = try SourceStore(folder: folder)
            try store.add(.played(song, atMs: 5), for: "home", atMs: 6)
            let note = try #require(try store.next(for: "home"))
            #expect(try store.begin(note.id))
            // Not closed: the process dies here.

            let next = try SourceStore(folder: folder)
            let kept = try #require(try next.next(for: "home"))
            #expect(kept.isUncertain && kept.tries == 1 && kept.atMs == 6)
            #expect(try next.begin(kept.id))
            try next.finish(kept.id)
            #expect(try next.counts()["home"] == OutboxCount(delivered: 1, repeated: 1))
            next.close()
            store.close()
        }
    }

    @Test func `a fault at any step leaves the outbox as it was`() throws {
        try withSources { store in
            try store.add(.favourite(song, true), for: "home", atMs: 1)
            let before = try store.pending(of: "home", limit: 10)
            let id = try #require(before.first).id
            let changes: [(SourceStore) throws -> Void] = [
                { try $0.add(.favourite(self.song, false), for: "home", atMs: 2) }, { _ = try $0.begin(id) }, { try $0.finish(id) },
                { try $0.store(id, "Busy.", isUncertain: false) }, { try $0.refuse(id, "No.") }, { _ = try $0.drop(of: "home") },
            ]
            for change in changes {
                var failed = 0
                for steps in 0... {
                    store.failAfter(steps: steps)
                    do {
                        try change(store)
                        break
                    } catch let fault as SourceFault {
                        failed += 1
                        #expect(!fault.sentence.isEmpty)
                    }
                    store.failAfter(steps: nil)
                    // The very last step comes when the change is already kept: then it is whole.
                    let now = try store.pending(of: "home", limit: 10)
                    if now == before { continue }
                    try change(store)
                    #expect(try store.pending(of: "home", limit: 10).map(\.note) == now.map(\.note), "after \(steps) steps")
                    break
                }
                store.failAfter(steps: nil)
                #expect(failed > 0)
                _ = try store.drop(of: "home")
                try store.change { sources throws(SourceFault) in
                    try sources.run(
                        "INSERT INTO outbox (id, source, item, kind, number, at_ms) VALUES (?, 'home', ?, 'favourite', 1, 1)",
                        [.int(id), .text(song.text)])
                }
            }
        }
    }

    @Test func `what a source remembers is its own, and is forgotten with it`() throws {
        try withSources { store in
            let (home, away) = (store.memory(of: "home"), store.memory(of: "away"))
            home.store("plain", "login")
            away.store("token", "login")
            #expect(home.value("login") == "plain" && away.value("login") == "token")
            try store.forget("home")
            #expect(home.value("login") == nil && away.value("login") == "token")
            away.store(nil, "login")
            #expect(away.value("login") == nil)
        }
    }
}
