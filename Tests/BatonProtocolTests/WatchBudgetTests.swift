/// The budgets of a watch, in bytes of WebSocket payload (`Protocol/profiles/watch.md`).
import BatonCore
import BatonProtocol
import BatonWire
import Testing

@Suite struct WatchBudgetTests {
    private let header = StateHeader(revision: 48214, from: 48213)

    private func bytes(_ sections: EncodedSection...) -> Int {
        text { header.encode(into: &$0, sections: sections) }.utf8.count
    }

    /// The id is spelt as the hub spells it.
    private func trackChange(_ title: String, _ artist: String) -> Int {
        var tags = Tags(title: title, artists: [artist], durationMs: 356_000)
        tags.art = Artwork(id: "91c3f0")
        let now = NowSection(entry: EntryID(text: "q7f4")!, uri: nil, tags: tags)
        return bytes(EncodedSection(WatchItem(now)), EncodedSection(WatchLine(positionMs: 0, atMs: 88_374_456, rate: 1000)))
    }

    @Test func `the examples keep their budgets`() {
        #expect(trackChange("How to Disappear Completely", "Radiohead") == 154)
        #expect(bytes(EncodedSection(WatchLine(positionMs: 12345, atMs: 88_391_456, rate: 0))) == 67)
        #expect(bytes(EncodedSection(WatchVolume(level: 43, isMuted: false))) == 55)
        #expect(bytes() == 45)
        let reply = Reply(id: 17, .applied(), revision: 48214, stamps: .init(received: 88_374_455, sent: 88_374_461))
        #expect(text { reply.encode(into: &$0) }.utf8.count == 81)
        // BT-PRO-009
        let line = EncodedSection(WatchLine(positionMs: 93000, atMs: 88_374_456, rate: 0))
        #expect(text { reply.encode(into: &$0, inline: .init(from: 48213, sections: [line])) }.utf8.count == 123)
        // BT-PRO-010
        var edit = reply
        edit.queue = .init(revision: 912, ids: [EntryID(text: "q81a")!])
        #expect(text { edit.encode(into: &$0) }.utf8.count == 116)
        let command = CommandFrame(id: 17, method: "next", key: "c3f1a9", params: ["from": "q7f3"])
        #expect(text(command.encode).utf8.count == 63)
    }

    @Test(arguments: ["a", "é", "漢", "🎵", "👩‍👩‍👧‍👦", "\"", "\\", "\n", "e\u{301}"]) func `no title makes a track change exceed 320 bytes`(
        unit: String
    ) {
        let long = String(repeating: unit, count: 2000)
        #expect(trackChange(long, long) <= 320)
    }

    /// BT-PRO-011
    @Test(arguments: ["a", "é", "漢", "🎵", "\"", "\n"]) func `progress of a piece takes at most 120 bytes`(unit: String) {
        let long = String(repeating: unit, count: 200)
        let shown = bytes(EncodedSection(WatchJob(title: "slow piano for rain", author: "Anna", percent: 40, dueMs: 88_383_456)))
        #expect(shown == 107)
        let job = WatchJob(title: long, author: long, percent: 100, dueMs: 9_999_999_999)
        let later = StateHeader(revision: 4_821_400, from: 4_821_399)
        #expect(text { later.encode(into: &$0, sections: [EncodedSection(job)]) }.utf8.count <= 120)
    }

    @Test func `the median of random titles stays below 200 bytes`() {
        var random = SeededGenerator(seed: 7)
        let sizes = (0..<200).map { _ in trackChange(.random(using: &random, upTo: 40), .random(using: &random, upTo: 24)) }.sorted()
        #expect(sizes[100] <= 200)
        #expect(sizes[199] <= 320)
    }

    @Test func `connecting without keys takes below 1100 bytes`() {
        let hello = Hello(
            view: "watch", client: .init(id: "k3Jr0vYx2mQ", run: "9fQ2", name: "Ana watch", app: "wristd/0.3"), caps: ["art"],
            resume: .init(epoch: "h9Kq", revision: 48190, rooms: [RoomID("living")], sections: StateView.watch.sections), t1: 512_345_678)
        let welcome = Welcome(
            core: "1.0", features: ["rooms@1", "watch@1"], session: "s_82", epoch: "h9Kq", boot: "b7", role: .remote, caps: ["art"],
            pace: StateView.watch.pace,
            clock: ClockSample(t1: 512_345_678, t2: 88_123_456_789, t3: 88_123_456_911))
        let total =
            text(hello.encode).utf8.count + text(welcome.encode).utf8.count + trackChange(String(repeating: "x", count: 99), "Radiohead")
        #expect(total <= 1100)
    }
}
