/// Where people are in spoken items, as it is stored.
import BatonCore
import BatonSeams
import Foundation
import Harness
import SQLite
import Testing

@testable import Stores

struct PlaceTests {
    private let home = Person.home

    private func episode(_ number: Int, minutes: Int? = 60) -> NewEntry {
        var tags = Tags(title: "Episode \(number)", durationMs: minutes.map { Milliseconds($0) * 60_000 })
        tags.kind = .episode
        return NewEntry(uri: ItemURI("podcast:episode/\(number)"), tags: tags)
    }

    @discardableResult
    private func report(
        _ library: LibraryStore, _ item: NewEntry, at minutes: Int, by person: Person = .home, in session: String = "s",
        from parent: String? = nil
    ) throws -> Places.Change {
        try library.change(item, of: person) { places, durationMs throws(Refusal) in
            let session = ListeningSession(SessionID(session), on: "Kitchen", in: RoomID("kitchen"), from: parent.map { SessionID($0) })
            return try places.take(PlaceReport(session, positionMs: Milliseconds(minutes) * 60_000, durationMs: durationMs, atMs: 7))
        }.change
    }

    private func titles(_ library: LibraryStore, isFinished: Bool = false, of person: Person = .home) throws -> [String] {
        try library.placed(by: person, isFinished: isFinished, PageWindow(limit: 100)).map(\.row.tags.title)
    }

    @Test func `each person has places of their own, the item that was heard last first`() throws {
        try withLibrary { library in
            try report(library, episode(1), at: 10)
            try report(library, episode(2), at: 20)
            try report(library, episode(1), at: 50, by: Person("ann"))
            try report(library, episode(1), at: 11)

            #expect(try titles(library) == ["Episode 1", "Episode 2"])
            #expect(try titles(library, of: Person("ann")) == ["Episode 1"])
            #expect(try library.places(of: home, in: episode(1).uri).current?.positionMs == 660_000)
            #expect(try library.places(of: Person("ann"), in: episode(1).uri).current?.positionMs == 3_000_000)
            #expect(try library.places(of: Person("bob"), in: episode(1).uri) == Places())
        }
    }

    @Test func `all of it is there again after the program was killed, and an item without its texts is known by what was kept`() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let first = try LibraryStore(folder: folder)
            try report(first, episode(1), at: 10)
            try report(first, episode(1), at: 40, in: "tablet")
            try report(first, episode(1), at: 12, in: "phone", from: "s")
            let before = try first.places(of: home, in: episode(1).uri)
            #expect(before.sides.map(\.positionMs) == [2_400_000] && before.current?.session == SessionID("phone"))

            // Opened beside the one that was not closed, as after a kill.
            let second = try LibraryStore(folder: folder)
            defer { second.close() }
            #expect(try second.places(of: home, in: episode(1).uri) == before)
            let bare = NewEntry(uri: episode(1).uri, tags: Tags())
            #expect(throws: SourceFault.self) { try report(second, bare, at: 62, in: "phone") }
            try report(second, bare, at: 60, in: "phone")
            #expect(try titles(second, isFinished: true) == ["Episode 1"])
            first.close()
        }
    }

    @Test func `an item that is known by a place is changed by its address, and another one is not`() throws {
        try withLibrary { library in
            let take: @Sendable (inout Places, Milliseconds?) throws(Refusal) -> Places.Change = { places, durationMs throws(Refusal) in
                try places.take(
                    PlaceReport(ListeningSession(SessionID("s"), on: "Kitchen"), positionMs: 60_000, durationMs: durationMs, atMs: 8))
            }
            try report(library, episode(1), at: 10)

            #expect(try library.change(known: episode(2).uri, of: home, take) == nil)
            #expect(try library.change(known: episode(1).uri, of: Person("ann"), take) == nil)
            #expect(try library.change(known: episode(1).uri, of: home, take)?.change == .moved)
            #expect(try library.placed(by: home, in: episode(1).uri)?.places.current?.positionMs == 60_000)
            #expect(try titles(library) == ["Episode 1"])
        }
    }

    @Test func `what is finished for one person and not begun by another is finished`() throws {
        try withLibrary { library in
            let all = (1...4).map { episode($0) }
            try report(library, all[0], at: 60)
            try report(library, all[1], at: 60)
            try report(library, all[1], at: 30, by: Person("ann"))
            try report(library, all[2], at: 30)
            #expect(try library.finished(among: all.map(\.uri)) == [all[0].uri])
            _ = try library.change(all[1], of: Person("ann")) { places, _ in
                places.reset(by: ListeningSession(SessionID("press"), on: "phone"), atMs: 1)
            }
            #expect(try library.finished(among: all.map(\.uri)) == [all[0].uri, all[1].uri])
            #expect(try titles(library, of: Person("ann")) == [])
        }
    }

    /// BT-NXT-001
    @Test func `what is up next stands in front once more, leaves when it is begun, and is each person's own`() throws {
        try withLibrary { library in
            func shown(_ person: Person = .home) throws -> [String] {
                try library.upNext(for: person, PageWindow(limit: 200)).map(\.tags.title)
            }
            for number in [1, 2, 3, 1] { try library.putUpNext(episode(number), for: home) }
            try library.putUpNext(episode(2), for: Person("ann"))
            #expect(try shown() == ["Episode 1", "Episode 3", "Episode 2"])
            try report(library, episode(3), at: 10)
            #expect(try shown() == ["Episode 1", "Episode 2"])
            #expect(try shown(Person("ann")) == ["Episode 2"])
            for number in 10..<120 { try library.putUpNext(episode(number), for: home) }
            #expect(try shown().count == 100 && shown().first == "Episode 119")
            #expect(try shown(Person("ann")) == ["Episode 2"], "what a person forgets stays with another")
        }
    }

    @Test func `a change that is refused or cannot be written leaves everything as it was`() throws {
        try withLibrary { library in
            try report(library, episode(1), at: 10)
            let before = try library.places(of: home, in: episode(1).uri)
            #expect(throws: SourceFault.self) { try report(library, episode(1), at: 90) }
            var steps = 0
            while steps < 100_000 {
                library.failAfter(steps: steps)
                defer { steps += 37 }
                guard (try? report(library, episode(1), at: 20)) == nil else { break }
                library.failAfter(steps: nil)
                #expect(try library.places(of: home, in: episode(1).uri) == before)
            }
            library.failAfter(steps: nil)
            #expect(steps > 37)
            #expect(try library.places(of: home, in: episode(1).uri).current?.positionMs == 1_200_000)
        }
    }
}
