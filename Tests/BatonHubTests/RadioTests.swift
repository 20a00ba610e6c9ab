/// Stations that the hub keeps: played by name or preset, listed, and shown as presets in the section `radio`.
import BatonCore
import BatonHub
import BatonLibrary
import BatonProtocol
import BatonSeams
import BatonWire
import Foundation
import Harness
import Stores
import Synchronization
import Testing

@Suite struct `Radio stations are kept` {
    final class Day: Sendable {
        let number = Atomic(1)
    }

    /// Stations of a real store, whose streams are never opened.
    struct Shelf: StationShelf {
        let storage: any StationStorage
        /// Its pictures are called by the number of this day.
        var day: Day?
        let source = "radio"
        var about: SourceAbout { SourceAbout(name: "Radio", abilities: [.browse, .marks]) }

        func uri(of stored: StoredStation) -> ItemURI { ItemURI("radio:station/\(stored.id)") }
        func tags(of stored: StoredStation) -> Tags {
            var tags = Tags(title: stored.station.title)
            tags.kind = .station
            tags.art = day.flatMap { ArtworkID(source: source, name: "\(stored.id)-\($0.number.load(ordering: .relaxed))") }.map {
                Artwork(id: $0.text)
            }
            return tags
        }
        func stored(_ uri: ItemURI) throws(SourceFault) -> StoredStation {
            guard let id = uri.text.split(separator: "/").last.flatMap({ Int($0) }), let stored = try storage.station(id) else {
                throw SourceFault(.notFound, "There is no such station.")
            }
            return stored
        }
        func stations(_ query: StationQuery) throws(SourceFault) -> StationPage { try storage.stations(query) }
        func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
            [NewEntry(uri: uri, tags: tags(of: try stored(uri)))]
        }
        func details(of uri: ItemURI) async throws(SourceFault) -> ItemDetails {
            let stored = try stored(uri)
            return ItemDetails(row: ItemRow(uri: uri, tags: tags(of: stored), mark: ItemMark(isFavourite: stored.preset != nil)))
        }
        func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
            Playable(.url(try stored(uri).station.url), isLive: true)
        }
    }

    private static func stations(_ names: String...) -> [Station] {
        names.map { Station(title: $0, url: "http://a.example/\($0.filter { $0 != " " })") }
    }

    @Loop
    private func withHub(day: Day? = nil, _ body: @escaping @Loop (SimulatedHub, TestRemote) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "baton-radio-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try SourceStore(folder: folder)
        defer { store.close() }
        let sim = try SimulatedHub(library: LibraryParts(userMarks: MemoryUserMarks(), connectors: []))
        sim.hub.open(Shelf(storage: store, day: day))
        let remote = try sim.remote()
        _ = await remote.awaitReply(remote.send(Commands.RadioChange(add: Self.stations("Harbour FM", "Nordlicht", "Harmony"))))
        try await body(sim, remote)
    }

    @Loop
    private func outcome(_ remote: TestRemote, _ command: some WireCommand, key: String? = nil) async throws -> Reply.Outcome {
        try #require(await remote.awaitReply(remote.send(command, key: key))).reply.outcome
    }

    @Loop
    private func list(_ remote: TestRemote, _ search: Commands.RadioList) async throws -> StationList {
        let reply = await remote.awaitReply(remote.send(search))
        return try StationList(from: try #require(reply?.data))
    }

    /// BT-RAD-001 BT-RAD-005 BT-SEC-radio
    @Test func `presets are shown in their order, and each change before its answer`() async throws {
        try await onLoop {
            try await withHub { _, remote in
                #expect(remote.mirror.radio == RadioSection([], count: 3))
                #expect(try await outcome(remote, Commands.RadioChange(add: Self.stations("Harbour FM"))) == .noop(why: .same))
                _ = try await outcome(remote, Commands.RadioChange(star: ItemURI("radio:station/2"), place: 48))
                _ = try await outcome(remote, Commands.RadioChange(star: ItemURI("radio:station/1"), place: 1))
                #expect(remote.mirror.radio?.presets.map(\.title) == ["Harbour FM", "Nordlicht"])
                _ = try await outcome(remote, Commands.FavouriteSet(ItemURI("radio:station/1"), isOn: false))
                _ = try await outcome(remote, Commands.FavouriteSet(ItemURI("radio:station/3"), isOn: true))
                #expect(remote.mirror.radio?.presets.map(\.title) == ["Nordlicht", "Harmony"])
                #expect(try await list(remote, Commands.RadioList(presetsOnly: true)).rows.map(\.preset) == [1, 2])
                for id in 1...3 { _ = try await outcome(remote, Commands.RadioChange(remove: ItemURI("radio:station/\(id)"))) }
                #expect(remote.mirror.radio == nil)
            }
        }
    }

    /// BT-RAD-004
    @Test func `each day the presets are shown with the names that their pictures have by then`() async throws {
        try await onLoop {
            let day = Day()
            try await withHub(day: day) { sim, remote in
                _ = try await outcome(remote, Commands.RadioChange(star: ItemURI("radio:station/1"), place: 1))
                #expect(remote.mirror.radio?.presets.map(\.art) == ["radio:1-1"])
                day.number.store(2, ordering: .relaxed)
                sim.time.pass(.seconds(86_000))
                #expect(remote.mirror.radio?.presets.map(\.art) == ["radio:1-1"])
                sim.time.pass(.seconds(500))
                try await until(sim) { remote.mirror.radio?.presets.map(\.art) == ["radio:1-2"] }
                #expect(remote.mirror.radio?.presets.map(\.art) == ["radio:1-2"])
            }
        }
    }

    @Test func `next at the end of a queue that plays a station is the next preset`() async throws {
        try await onLoop {
            try await withHub { sim, remote in
                for id in [1, 2] { _ = try await outcome(remote, Commands.RadioChange(star: ItemURI("radio:station/\(id)"), place: 48)) }
                _ = try await outcome(remote, Commands.RadioPlay(name: "harmony"), key: "key-1")
                for (number, title) in ["Harmony", "Harbour FM", "Nordlicht", "Harbour FM"].enumerated() {
                    try await until(sim) { remote.mirror.now?.tags.title == title }
                    _ = try await outcome(remote, Commands.Next(from: remote.mirror.now?.entry), key: "next-\(number)")
                }
            }
        }
    }

    /// BT-RAD-002
    @Test func `the address of a station is for those who may choose music`() async throws {
        try await onLoop {
            try await withHub { sim, remote in
                #expect(try await list(remote, Commands.RadioList(words: "nord")).rows.first?.station.url == "http://a.example/Nordlicht")
                let listener = try sim.connect()
                listener.sendText(#"{"t":"hello","core":"1.0","view":"full","role":"listener","client":{"id":"abcdefgh"}}"#)
                let row = try await list(listener, Commands.RadioList(words: "nord")).rows.first
                #expect(row?.station.title == "Nordlicht" && row?.station.url == "")
            }
        }
    }

    @Test func `a name means the station that is called so, then a preset, then the first`() async throws {
        try await onLoop {
            try await withHub { sim, remote in
                for (number, (play, title)) in [
                    (Commands.RadioPlay(name: "HARMONY"), "Harmony"), (Commands.RadioPlay(name: "har"), "Harbour FM"),
                    (Commands.RadioPlay(uri: ItemURI("radio:station/2")), "Nordlicht"),
                ].enumerated() {
                    _ = try await outcome(remote, play, key: "play-\(number)")
                    try await until(sim) { remote.mirror.now?.tags.title == title }
                }
                let none = await remote.awaitReply(remote.send(Commands.RadioPlay(preset: 1), key: "none-1"))
                #expect(none?.refusal == .notFound)
                let other = await remote.awaitReply(remote.send(Commands.RadioPlay(uri: ItemURI("lib:track/1")), key: "none-2"))
                #expect(other?.refusal == .unsupported)
            }
        }
    }
}
