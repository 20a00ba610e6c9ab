import BatonCore
import BatonSeams
import Harness
import Testing

@testable import BatonHub
@testable import MPD

/// Commands and arguments of MPD 0.24, which the oracle of 0.23 cannot judge. They answer as its manual says.
@Suite struct NewerTests {
    @Test func `filters find beginnings and times`() async throws {
        try await onLoop {
            let peer = try MPDWorld().connect()
            #expect(
                await peer.ask("find \"(artist starts_with 'Ida')\"").filter { $0.hasPrefix("file") } == [
                    "file: folder/d.flac", "file: folder/e.flac",
                ])
            #expect(
                await peer.ask("find \"(added-since '1600000103')\"").filter { $0.hasPrefix("file") } == [
                    "file: folder/d.flac", "file: folder/e.flac",
                ])
            #expect(await peer.ask("searchcount artist IDA") == ["songs: 2", "playtime: 360"])
            #expect(await peer.ask("find any \"Song a\" sort Added").first == "file: a.flac")
        }
    }

    @Test func `stickers are counted up and down, and found by numbers`() async throws {
        try await onLoop {
            let peer = try MPDWorld().connect()
            #expect(await peer.ask("sticker set song a.flac plays 9") == [])
            #expect(await peer.ask("sticker inc song a.flac plays 2") == [])
            #expect(await peer.ask("sticker get song a.flac plays") == ["sticker: plays=11"])
            #expect(await peer.ask("sticker dec song b.flac plays 1") == [])
            #expect(await peer.ask("sticker inc song b.flac plays x") == ["ACK [2@0] {sticker} Integer expected: x"])
            #expect(await peer.ask("sticker find song \"\" plays gt 9") == ["file: a.flac", "sticker: plays=11"])
            #expect(
                await peer.ask("sticker find song \"\" plays sort value_int") == [
                    "file: b.flac", "sticker: plays=-1", "file: a.flac", "sticker: plays=11",
                ])
            #expect(await peer.ask("sticker find song \"\" plays contains 1 sort uri window 1:2") == ["file: b.flac", "sticker: plays=-1"])
            #expect(await peer.ask("stickernames") == ["name: plays"])
            #expect(await peer.ask("stickertypes") == ["stickertype: playlist", "stickertype: song"])
            #expect(await peer.ask("stickernamestypes song") == ["name: plays", "type: song"])
        }
    }

    @Test func `a sticker without a name is not kept`() async throws {
        try await onLoop {
            let peer = try MPDWorld().connect()
            #expect(await peer.ask("sticker set song a.flac \"\" calm") == [])
            #expect(await peer.ask("sticker list song a.flac") == [])
            #expect(await peer.ask("sticker delete song a.flac \"\"") == ["ACK [50@0] {sticker} no such sticker"])
        }
    }

    @Test func `features and tags are switched`() async throws {
        try await onLoop {
            let peer = try MPDWorld().connect()
            #expect(await peer.ask("protocol") == [])
            #expect(await peer.ask("protocol available") == ["feature: hide_playlists_in_root"])
            #expect(await peer.ask("protocol enable hide_playlists_in_root") == [])
            #expect(await peer.ask("protocol") == ["feature: hide_playlists_in_root"])
            #expect(await peer.ask("protocol enable x") == ["ACK [2@0] {protocol} Unknown protocol feature"])
            #expect(await peer.ask("tagtypes reset Title") == [])
            #expect(await peer.ask("tagtypes") == ["tagtype: Title"])
            #expect(await peer.ask("tagtypes available").count == 30)
        }
    }
}
