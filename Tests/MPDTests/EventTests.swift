import Testing

@testable import MPD

/// Events wait until they are told, and each is told once.
@Suite struct EventTests {
    private func text(_ events: Events) -> String { String(decoding: events.answer, as: UTF8.self) }

    @Test func `events are told in their order`() {
        #expect(text([.mixer, .playlist, .options]) == "changed: playlist\nchanged: mixer\nchanged: options\nOK\n")
        #expect(text([.partition, .update, .sticker]) == "changed: sticker\nchanged: update\nchanged: partition\nOK\n")
    }

    @Test func `names are known in any case`() throws {
        #expect(try Events(named: ["PLAYER", "mixer", "mixer"]) == [.player, .mixer])
        #expect(try Events(named: []) == .all)
        #expect(throws: Ack(.argument, "Unrecognized idle event: Foo")) { try Events(named: ["output", "Foo"]) }
    }

    @Test func `changes while no client waits are told at the next wait`() {
        var state = IdleState()
        let told = [state.note(.playlist), state.note(.mixer), state.begin(for: .all), state.begin(for: .all)]

        #expect(told == [nil, nil, [.playlist, .mixer], nil])
        #expect(state.isIdle)
    }

    @Test func `what is not waited for is kept`() {
        var state = IdleState()
        let told = [state.begin(for: .playlist), state.note(.mixer), state.note(.playlist), state.begin(for: [.mixer, .player])]

        #expect(told == [nil, nil, .playlist, .mixer])
        #expect(!state.isIdle)
    }

    @Test func `a wait that is ended tells of nothing, and forgets nothing`() {
        var state = IdleState()
        let waited = [state.begin(for: .player), state.note(.mixer)]
        let ends = [state.end(), state.end()]
        let later = [state.note(.player), state.begin(for: .all)]

        #expect(waited == [nil, nil])
        #expect(ends == [true, false])
        #expect(later == [nil, [.player, .mixer]])
    }
}
