/// Stations, presets and a directory, across restarts of the program.
import BatonCore
import BatonSeams
import Foundation
import Harness
import Testing

@testable import Stores

struct StationTests {
    private func withStore(_ body: (SourceStore, () throws -> SourceStore) throws -> Void) throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let store = try SourceStore(folder: folder)
            try body(store) {
                store.close()
                return try SourceStore(folder: folder)
            }
        }
    }

    private func station(_ name: String, country: String = "", language: String = "", tags: [String] = []) -> Station {
        Station(title: name, url: "http://a.example/\(name)", picture: nil, country: country, language: language, tags: tags)
    }

    @Test func `stations are kept once by their address, and in the order of their names`() throws {
        try withStore { store, reopened in
            let jazz = Station(
                title: "Jazz 24", url: "http://a/x", picture: "http://a/i.png", country: "France", language: "french",
                tags: ["jazz", "swing"])
            #expect(try store.add([jazz, station("Ämbient"), station("beat")], isOwn: true) == 3)
            #expect(try store.add([Station(title: "Other", url: "http://a/x"), station("C")], isOwn: false) == 1)

            let store = try reopened()
            let page = try store.stations(StationQuery())
            #expect(page.total == 4 && page.stations.map(\.station.title) == ["Ämbient", "beat", "C", "Jazz 24"])
            #expect(try store.station(at: "http://a/x")?.station == jazz)
            #expect(page.stations.map(\.isOwn) == [true, true, false, true])
            #expect(try store.remove(page.stations[1].id) && !store.remove(page.stations[1].id))
            _ = try store.add([station("beat")], isOwn: false)
            #expect(try store.station(page.stations[1].id) == nil, "A number was used twice.")
            store.close()
        }
    }

    @Test func `presets keep their order and leave no holes`() throws {
        try withStore { store, reopened in
            _ = try store.add(["A", "B", "C", "D"].map { station($0) }, isOwn: false)
            let ids = try store.stations(StationQuery()).stations.map(\.id)
            for id in ids { #expect(try store.setPreset(id, at: .max)) }
            #expect(try store.setPreset(ids[3], at: 1) && !store.setPreset(ids[3], at: 1))
            #expect(try store.setPreset(ids[1], at: nil) && !store.setPreset(ids[1], at: nil))
            #expect(throws: SourceFault.self) { try store.setPreset(99, at: 1) }

            let store = try reopened()
            #expect(try store.presets().map(\.station.title) == ["D", "A", "C"])
            #expect(try store.stations(StationQuery()).stations.map(\.preset) == [2, nil, 3, 1])
            _ = try store.remove(ids[0])
            #expect(try store.presets().map(\.preset) == [1, 2])
            store.close()
        }
    }

    @Test func `stations are found by name, country, tag and language`() throws {
        try withStore { store, _ in
            let all = [
                station("Jazz FM", country: "France", language: "french", tags: ["swing"]),
                station("France Info", country: "Germany", language: "german", tags: ["news 100% _"]),
            ]
            _ = try store.add(all, isOwn: false)
            func titles(_ query: StationQuery) throws -> [String] { try store.stations(query).stations.map(\.station.title) }
            #expect(try titles(StationQuery("fran")) == ["France Info", "Jazz FM"])
            #expect(try titles(StationQuery(country: "FRANCE")) == ["Jazz FM"])
            #expect(try titles(StationQuery("jaz fr", tag: "Swing", language: "french")) == ["Jazz FM"])
            #expect(try titles(StationQuery("ance")) == [] && titles(StationQuery("%")).count == 2)
            #expect(try store.stations(StationQuery(window: PageWindow(from: 1, limit: 5))).stations.count == 1)
            store.close()
        }
    }

    @Test func `a directory takes the place of the one before only when it is finished`() throws {
        try withStore { store, reopened in
            #expect(try store.directoryStamp() == nil && store.directory(StationQuery()).total == 0)
            let first = try store.beginDirectory()
            try store.put([station("A"), station("A"), station("B")], inDirectory: first)
            #expect(try store.directory(StationQuery()).total == 0)
            try store.finishDirectory(first, stamp: "one")
            _ = try store.put([station("half")], inDirectory: store.beginDirectory())

            let store = try reopened()
            #expect(try store.directoryStamp() == "one" && store.directory(StationQuery()).total == 2)
            let second = try store.beginDirectory()
            try store.put([station("C")], inDirectory: second)
            try store.finishDirectory(second, stamp: "two")
            let page = try store.directory(StationQuery())
            #expect(page.stations.map(\.station.title) == ["C"] && page.total == 1 && page.stations[0].id == 0)
            #expect(try store.directoryStation(at: "http://a.example/C") != nil && store.directoryStation(at: "http://a.example/A") == nil)
            store.close()
        }
    }
}
