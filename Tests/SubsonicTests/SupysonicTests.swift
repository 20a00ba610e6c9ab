/// Two versions of a real server, supysonic: what other people's code answers, plays and counts.
import BatonCore
import BatonSeams
import Foundation
import HTTPClient
import Testing

@testable import ServerConnectors

@Suite struct SupysonicTests {
    @Test(arguments: ["debian", "pypi"]) func `a real server is browsed, searched, played and told what was done`(version: String)
        async throws
    {
        let python = "/usr/bin/python3"
        let server = try ContractServer("supysonic.py", ["FOLDER", version], python: python)
        let memory = Notes()
        let attic = try SubsonicConnector.to("http://127.0.0.1:\(server.ports.port)", memory: memory)

        // It refuses tokens with error 10, so the password is what is remembered.
        try await attic.check()
        #expect(memory.all.contains("plain") && !memory.all.contains("sesame"))
        try await browses(attic)
        let song = try #require(try await attic.search(SearchQuery("Shard", kinds: [.track])).rows.first)
        try await plays(attic, song.uri)
        try await keepsLists(attic, song.uri)
        try await isTold(attic, song.uri)
        if version == "pypi" { try await counts(attic, song.uri, server) }
    }

    private func browses(_ attic: SubsonicConnector) async throws {
        #expect(try await attic.titles(.shelf(.artists)) == ["Kestrel", "Merle Ash"])
        #expect(try await attic.titles(.shelf(.albums)) == ["Glass", "Low Tide"])
        #expect(try await attic.titles(.shelf(.genres)).sorted() == ["Ambient", "Folk"])
        #expect(try await attic.titles(.decade(1990)) == ["Low Tide"])
        #expect(try await attic.titles(.genre("Ambient")) == ["Glass"])
        let album = try #require(try await attic.rows(.shelf(.albums)).first)
        let songs = try await attic.expand(album.uri, trust: .itemsOnly)
        #expect(songs.map(\.tags.title) == ["Pane", "Shard"] && songs.first?.tags.year == 2012)
        let root = try #require(try await attic.rows(.shelf(.folders)).first)
        #expect(try await attic.expand(root.uri, trust: .itemsOnly).count == 5)
        let art = try #require(album.tags.art.flatMap { ArtworkID(text: $0.id) })
        guard case .bytes(let picture) = try await attic.picture(art.name) else {
            Issue.record("The album has no picture.")
            return
        }
        #expect(picture.starts(with: [0xFF, 0xD8]))
        let similar = try await attic.similar(to: songs[0].uri, count: 5)
        #expect(similar.map(\.tags.title) == ["Shard"])
        #expect(
            await fault { _ = try await attic.details(of: ItemURI("attic:track/0f8fad5b-d9cb-469f-a165-70867728950e")) }?.code == .notFound)
    }

    /// A whole song, a look at its end, and a place far ahead are one play; a copy is none.
    private func plays(_ attic: SubsonicConnector, _ song: ItemURI) async throws {
        let copy = try await attic.download(song).content.all()
        guard case .bytes(let named) = try await attic.resolve(song, trust: .itemsOnly).location else { throw SubsonicConnector.NoSound() }
        let sound = named.content
        let first = try await sound.read(at: 0, count: 1_000)
        let tail = try await sound.read(at: Int64(copy.count) - 128, count: 128)
        let rest = try await sound.all(from: Int64(first.count))

        #expect(first + rest == copy && tail == Array(copy.suffix(128)) && named.name == "Shard.mp3" && sound.length == Int64(copy.count))
    }

    private func keepsLists(_ attic: SubsonicConnector, _ song: ItemURI) async throws {
        let list = try await attic.edit(SourceListEdit(list: nil, [.create(name: "Panes"), .insert([song, song], at: 0)]))
        let base = try await attic.browse(BrowseQuery(node: list)).version
        _ = try await attic.edit(SourceListEdit(list: list, base: base, [.remove([0])]))

        #expect(try await attic.expand(list, trust: .itemsOnly).map(\.uri) == [song])
        #expect(await fault { _ = try await attic.edit(SourceListEdit(list: list, base: base, [.remove([0])])) }?.code == .conflict)
        _ = try await attic.edit(SourceListEdit(list: list, [.delete]))
        #expect(try await attic.rows(.shelf(.playlists)).isEmpty)
        let station = try await attic.edit(
            SourceListEdit(list: attic.uri(.shelf(.stations)), [.create(name: "One"), .insert([ItemURI("https://example.org/a")], at: 0)]))
        #expect(try await attic.rows(.shelf(.stations)).map(\.uri) == [station])
    }

    private func isTold(_ attic: SubsonicConnector, _ song: ItemURI) async throws {
        for note in [WriteBack.favourite(song, true), .stars(song, 5)] {
            try await attic.writeBack(note, atMs: 0)
            #expect(try await attic.hasReached(note, atMs: 0) == true)
        }
        #expect(try await attic.rows(.shelf(.starred)).map(\.uri) == [song])
        // It has no queues, says so, and is not asked again.
        #expect(await fault { _ = try await attic.savedQueue() }?.code == .unsupported)
        // Its scans need a second program, which does not run here: the server's own words say so.
        #expect(await fault { try await attic.rescan() }?.sentence.contains("daemon") == true)
    }

    /// The recorder stands where ListenBrainz would: it sees each submission with its own time.
    private func counts(_ attic: SubsonicConnector, _ song: ItemURI, _ server: ContractServer) async throws {
        try await attic.writeBack(.nowPlaying(song), atMs: 0)
        try await attic.writeBack(.played(song, atMs: 1_700_000_000_000), atMs: 0)

        let answer = try await HTTPClient().call(
            HTTPCall(.get, "http://127.0.0.1:\(try #require(server.ports.recorder))/listens", policy: .anywhere))
        let listens = try JSONDecoder().decode([Listen].self, from: Data(try await answer.whole()))
        #expect(listens.map(\.listen_type) == ["playing_now", "single"])
        #expect(listens.last?.payload.first?.listened_at == 1_700_000_000)
    }

    private struct Listen: Decodable {
        struct Payload: Decodable { var listened_at: Int? }

        var listen_type: String
        var payload: [Payload]
    }
}
