/// Votes for skipping what plays, and people who were sent out, as a room remembers them.
import Testing

@testable import BatonCore

@Suite struct `What a room remembers of its people` {
    private let first = EntryID(1), second = EntryID(2)

    @Test(arguments: [(500, 0, 1), (500, 1, 1), (500, 2, 1), (500, 3, 2), (500, 4, 2), (1000, 3, 3), (1, 5, 1), (334, 3, 2)])
    func `a share of those who hear is rounded up, and is never less than one`(share: Int, hearing: Int, needed: Int) {
        var presence = RoomPresence()
        presence.voteShare = share
        #expect(presence.needed(of: hearing) == needed)
    }

    @Test func `votes are bound to the entry, and a voter has one`() {
        var presence = RoomPresence()
        let counted = ["ada", "ada", "ben"].map { presence.vote(for: first, by: $0) }
        #expect(counted == [true, false, true])
        #expect(presence.votes(for: first) == 2 && presence.votes(for: second) == 0 && presence.votes(for: nil) == 0)
        _ = presence.vote(for: second, by: "ada")
        #expect(presence.votes(for: first) == 0 && presence.votes(for: second) == 1)
    }

    @Test func `a person is refused until the time is over, and only so many are remembered`() {
        var presence = RoomPresence()
        presence.refuse("ada", untilMs: 1000, atMs: 0)
        #expect(presence.refusedMs("ada", atMs: 400) == 600 && presence.refusedMs("ada", atMs: 1000) == nil)
        #expect(presence.refusedMs("ben", atMs: 0) == nil)
        for number in 0..<200 { presence.refuse("p\(number)", untilMs: Milliseconds(2000 + number), atMs: 0) }
        #expect(presence.refusedUntilMs.count == RoomPresence.mostRefused)
        #expect(presence.refusedMs("p199", atMs: 0) != nil && presence.refusedMs("ada", atMs: 0) == nil)
    }

    @Test(arguments: 0..<50) func `what is written is read as it was`(seed: UInt64) {
        var random = SeededGenerator(seed)
        var presence = RoomPresence()
        presence.voteShare = Int.random(in: RoomPresence.shares, using: &random)
        let names = ["ada", "a b", "ü\n%", "user/ben", " "]
        for name in names where Bool.random(using: &random) { _ = presence.vote(for: first, by: name) }
        for name in names where Bool.random(using: &random) {
            presence.refuse(name, untilMs: Milliseconds(Int64.random(in: 1...9, using: &random)), atMs: 0)
        }
        #expect(RoomPresence(text: presence.text) == presence, "seed \(seed)")
    }

    @Test(arguments: ["", "share x", "share 2000", "votes", "votes q1", "votes x ada", "refused 5", "refused x ada", "other 1", "\n\n"])
    func `what is not understood is left out`(text: String) { #expect(RoomPresence(text: text) == RoomPresence()) }
}
