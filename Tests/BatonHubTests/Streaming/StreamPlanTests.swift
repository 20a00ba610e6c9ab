/// What the encoder of a stream gets: the room's entries, one behind the other without silence, and what happens when the room goes elsewhere.
import BatonCore
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import BatonListening

@Suite struct `The plan of a stream` {
    private let one = EntryID(1)
    private let two = EntryID(2)

    private func sight(_ entry: EntryID?, _ positionMs: Milliseconds, of durationMs: Milliseconds? = 60_000, next: EntryID? = nil)
        -> StreamPlan.Sight
    {
        .init(entry: entry, positionMs: positionMs, durationMs: durationMs, isPlaying: true, next: next)
    }

    /// Encodes one entry from a position on, up to another.
    private func plan(_ entry: EntryID, atMs: Milliseconds, hasEnded: Bool = false) -> StreamPlan {
        var plan = StreamPlan()
        plan.begin(entry, fromMs: 0, isAhead: false)
        plan.note(atMs: atMs, hasEnded: hasEnded)
        return plan
    }

    @Test func `a track that has just begun is heard from its beginning, and one that plays from where it is`() {
        var plan = StreamPlan()

        #expect(plan.step(sight(one, 1_000)) == .begin(one, fromMs: 0, isAhead: false))
        #expect(plan.step(sight(one, 30_000)) == .begin(one, fromMs: 32_000, isAhead: false))
    }

    @Test func `small differences are left alone, and a seek is followed`() {
        var plan = plan(one, atMs: 12_000)

        #expect(plan.step(sight(one, 9_000)) == .goOn)
        #expect(plan.step(sight(one, 15_000)) == .goOn)
        #expect(plan.step(sight(one, 40_000)) == .begin(one, fromMs: 42_000, isAhead: false))
    }

    @Test func `a station is heard as it comes, whatever the position of the room`() {
        var plan = plan(one, atMs: 12_000)
        var station = sight(one, 40_000, of: nil)
        station.isLive = true

        #expect(plan.step(station) == .goOn)
    }

    @Test func `a room at another speed is followed from track to track only`() {
        var plan = plan(one, atMs: 12_000)
        var fast = sight(one, 40_000)
        fast.speed = 1500

        #expect(plan.step(fast) == .goOn)
        fast.entry = two
        #expect(plan.step(fast) == .begin(two, fromMs: 42_000, isAhead: false))
    }

    @Test func `a pause is silence, and then the sound goes on where it was`() {
        var plan = plan(one, atMs: 12_000)
        var paused = sight(one, 10_000)
        paused.isPlaying = false

        #expect(plan.step(paused) == .silence)
        #expect(plan.step(sight(nil, 0)) == .silence)
        #expect(plan.step(sight(one, 10_000)) == .goOn)
    }

    @Test func `the next track begins when the one before has ended, also while the room is still there`() {
        var plan = plan(one, atMs: 60_000, hasEnded: true)
        #expect(plan.step(sight(one, 58_000, next: two)) == .begin(two, fromMs: 0, isAhead: true))
        plan.begin(two, fromMs: 0, isAhead: true)

        plan.note(atMs: 1_000, hasEnded: false)
        #expect(plan.step(sight(one, 59_000, next: two)) == .goOn)
        #expect(plan.step(sight(two, 0)) == .goOn)
        #expect(plan.step(sight(two, 1_000)) == .goOn)
    }

    @Test func `a room that goes elsewhere instead of to the next track is followed`() {
        var plan = plan(one, atMs: 60_000, hasEnded: true)
        plan.begin(two, fromMs: 0, isAhead: true)

        #expect(plan.step(sight(one, 20_000, next: two)) == .begin(one, fromMs: 22_000, isAhead: false))
    }

    @Test func `an entry that follows itself begins anew`() {
        var plan = plan(one, atMs: 60_000, hasEnded: true)
        #expect(plan.step(sight(one, 58_500, next: one)) == .begin(one, fromMs: 0, isAhead: true))
        plan.begin(one, fromMs: 0, isAhead: true)
        plan.note(atMs: 1_500, hasEnded: false)

        #expect(plan.step(sight(one, 59_900, next: one)) == .goOn)
        #expect(plan.step(sight(one, 100, next: one)) == .goOn)
        #expect(plan.step(sight(one, 5_000, next: one)) == .goOn)
    }

    @Test func `behind the last track there is silence`() {
        var plan = plan(one, atMs: 60_000, hasEnded: true)

        #expect(plan.step(sight(one, 59_000)) == .silence)
    }

    @Test func `what has no sound is silent until the room goes on`() {
        var plan = plan(one, atMs: 0)
        plan.mute()

        #expect(plan.step(sight(one, 30_000)) == .silence)
        #expect(plan.step(sight(two, 500)) == .begin(two, fromMs: 0, isAhead: false))
    }
}
