import BatonCore
import BatonSeams
import Testing

@testable import Player

@Suite struct DeckTests {
    private let one = Playable(.file("/one.flac"))
    private let two = Playable(.file("/two.flac"))

    /// A deck on which `q1` plays as libmpv's 10 and `q2` follows as 11.
    private func playing() -> LoadedEntries {
        var deck = LoadedEntries()
        deck.name(10, order: deck.load(one, as: q1, fromMs: 0, rendering: Rendering()).order)
        deck.started(10)
        deck.began()
        deck.name(11, order: deck.follow(with: two, as: q2, rendering: Rendering())!.order)
        return deck
    }

    @Test func `the follower takes the place of what ended`() {
        var deck = playing()

        let ended = deck.ended(10)
        deck.started(11)

        #expect(ended?.entry == q1)
        #expect(deck.live?.entry == q2)
        #expect(deck.courseCorrection() == nil)
    }

    @Test func `another place that cannot be joined is opened as a file at the same sample`() {
        var deck = playing()
        let rest = deck.goOn(with: two, fromUs: 3_657_143, beginUs: 0, rendering: Rendering())!

        let slot = deck.load(two, as: q1, fromUs: rest.openingUs, rendering: Rendering(), continues: true)

        #expect(slot.startMs == 3_657)
        // At 44,100 in a second this is sample 161,280; with whole milliseconds it would be 161,273.
        let start = slot.playable.options(startUs: slot.startUs).first { $0.key == "start" }?.value.text
        #expect(start.flatMap { Double($0) }.map { Int($0 * 44_100) } == 161_280)
    }

    @Test func `the late end of something replaced says nothing about the new`() {
        var deck = playing()
        let slot = deck.load(two, as: q3, fromMs: 0, rendering: Rendering())
        deck.name(12, order: slot.order)

        #expect(deck.ended(10) == nil)
        #expect(deck.current?.entry == q3)
    }

    @Test func `a follower that was taken back and started all the same is replaced by the one wanted now`() {
        var deck = playing()
        let wanted = deck.follow(with: one, as: q3, rendering: Rendering())!

        _ = deck.ended(10)
        deck.started(11)
        #expect(deck.courseCorrection() == nil)  // Its own name is not known yet.
        deck.name(12, order: wanted.order)

        guard case .replay(let slot) = deck.courseCorrection() else { return #expect(Bool(false), "Nothing was corrected.") }
        #expect(slot.entry == q3)
        #expect(slot.order != wanted.order)
        #expect(deck.courseCorrection() == nil)
    }

    @Test func `a follower that was taken back for nothing is halted when it starts all the same`() {
        var deck = playing()
        deck.dropFollower()

        _ = deck.ended(10)
        deck.started(11)

        #expect(deck.courseCorrection() == .halt)
    }

    @Test func `a load is not corrected while libmpv is still on its way to it`() {
        var deck = playing()
        deck.name(12, order: deck.load(two, as: q3, fromMs: 0, rendering: Rendering()).order)

        #expect(deck.courseCorrection() == nil)
        #expect(deck.live == nil)
    }

    @Test func `nothing follows where nothing plays`() {
        var deck = LoadedEntries()

        #expect(deck.follow(with: one, as: q1, rendering: Rendering()) == nil)
    }
}
