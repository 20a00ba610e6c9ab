import BatonClient
import BatonCore
import BatonProtocol
import BatonWire
import Testing

@Suite struct `A mirror follows its hub` {
    private func update(_ text: String) throws -> StateUpdate {
        guard case .state(let update) = try HubMessage.decode(Array(text.utf8)) else { throw NoState() }
        return update
    }

    private struct NoState: Error {}

    private func mirror(_ texts: String...) throws -> Mirror {
        var mirror = Mirror()
        for text in texts {
            let applied = try mirror.apply(update(text))
            #expect(applied == .applied)
        }
        return mirror
    }

    private let whole = #"""
        {"t":"state","full":1,"rev":7,"room":"main","s":{"vol":{"level":30,"mute":false},"now":{"entry":"q1","kind":"track","title":"A","durMs":60000},
        "tl":{"entry":"q1","posMs":1000,"atUs":2000000,"rate":1000,"st":"playing"}}}
        """#

    @Test func `a full state is what it holds`() throws {
        let mirror = try mirror(whole)

        #expect(mirror.revision == 7 && mirror.room?.text == "main")
        #expect(mirror.volume?.level == 30 && mirror.now?.tags.title == "A" && mirror.queue == nil)
        #expect(mirror.sections == [.volume, .now, .timeline])
    }

    @Test func `a delta changes only what it names`() throws {
        let mirror = try mirror(whole, #"{"t":"state","rev":9,"from":7,"s":{"vol":{"level":31,"mute":true}}}"#)

        #expect(mirror.revision == 9 && mirror.room?.text == "main")
        #expect(mirror.volume == VolumeSection(level: 31, isMuted: true) && mirror.now?.tags.title == "A")
    }

    @Test func `a delta that starts elsewhere is a gap and changes nothing`() throws {
        var mirror = try mirror(whole)
        let before = mirror

        let applied = try mirror.apply(update(#"{"t":"state","rev":9,"from":8,"s":{"vol":{"level":31,"mute":true}}}"#))

        #expect(applied == .gap && mirror == before)
    }

    @Test func `null takes a section away`() throws {
        let mirror = try mirror(whole, #"{"t":"state","rev":8,"from":7,"s":{"now":null}}"#)

        #expect(mirror.now == nil && mirror.volume != nil)
        #expect(mirror.sections == [.volume, .timeline])
    }

    @Test func `a full state drops what it does not mention`() throws {
        let mirror = try mirror(whole, #"{"t":"state","full":1,"rev":8,"s":{"modes":{"repeat":true}}}"#)

        #expect(mirror.volume == nil && mirror.now == nil && mirror.modes?.modes.repeat == true)
        #expect(mirror.sections == [.modes])
    }

    // BT-EXT-002
    @Test func `a section, a member and a play state from a newer hub are passed over`() throws {
        let mirror = try mirror(
            #"{"t":"state","full":1,"rev":1,"s":{"aura":{"x":1},"vol":{"level":1,"mute":false,"hue":"red"},"tl":{"posMs":0,"atUs":0,"rate":0,"st":"dreaming"}}}"#
        )

        #expect(mirror.sections == [.volume, .timeline])
        #expect(mirror.timeline?.state == .unrecognised("dreaming"))
    }

    @Test func `a section that makes no sense leaves the copy as it was`() throws {
        var mirror = try mirror(whole)
        let before = mirror

        #expect(throws: ProtocolFault.self) {
            try mirror.apply(update(#"{"t":"state","rev":8,"from":7,"s":{"now":null,"vol":{"level":"loud"}}}"#))
        }

        #expect(mirror == before)
    }

    @Test func `the position moves along the line and stops at the end`() throws {
        let mirror = try mirror(whole)

        #expect(mirror.positionMs(atHubUs: 2_000_000) == 1000)
        #expect(mirror.positionMs(atHubUs: 5_000_000) == 4000)
        #expect(mirror.positionMs(atHubUs: 900_000_000) == 60_000)
        #expect(Mirror().positionMs(atHubUs: 5) == 0)
    }

    @Test func `what it offers after a reconnect is what it holds`() throws {
        let resume = try mirror(whole).resume(epoch: "e1")

        #expect(resume == Hello.Resume(epoch: "e1", revision: 7, rooms: [RoomID("main")], sections: [.volume, .now, .timeline]))
        #expect(Mirror().resume(epoch: "e1") == nil)
    }
}
