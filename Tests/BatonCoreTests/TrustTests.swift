import Testing

@testable import BatonCore

/// Entries keep the trust with which they were added, whatever becomes of them.
struct TrustTests {
    private func live() throws -> LiveRoom {
        var live = try LiveRoom()
        let items = [Trust.musicFolders, .anyPath, nil].enumerated().map { index, trust in
            NewEntry(uri: ItemURI("file:track/\(index)"), tags: Tags(title: "\(index)", durationMs: 180_000), trust: trust)
        }
        try live.ask(.add(items, at: .end))
        return live
    }

    @Test func `the player is told each entry's own trust, the lowest where none was said`() throws {
        var live = try live()

        let orders = try live.ask(.play()).orders

        #expect(
            orders == [
                .load(live.ids[0], ItemURI("file:track/0"), .musicFolders, fromMs: 0, paused: false),
                .follow(live.ids[1], ItemURI("file:track/1"), .anyPath),
            ])
        #expect(live.room.queue.entries.map(\.trust) == [.musicFolders, .anyPath, .itemsOnly])
    }

    @Test func `an undo brings it back, and a copy in another room has it too`() throws {
        var live = try live()
        try live.ask(.play())
        try live.ask(.remove([live.ids[1]]))
        try live.ask(.undo)
        #expect(live.room.queue.entries.map(\.trust) == [.musicFolders, .anyPath, .itemsOnly])

        var target = try LiveRoom()
        _ = try target.room.takeOver(live.room, copying: true, by: nil, at: live.now, numbers: &target.numbers)
        #expect(target.room.queue.entries.map(\.trust) == [.musicFolders, .anyPath, .itemsOnly])
    }

    @Test func `a playlist's entries keep it through an undo`() throws {
        var list = PlaybackQueue()
        var numbers = EntryNumbers()
        let item = NewEntry(uri: ItemURI("file:track/1"), tags: Tags(), trust: .anyPath)
        _ = try list.apply(.add([item], at: .end), numbers: &numbers, at: Moment(us: 0))
        _ = try list.apply(.clear, numbers: &numbers, at: Moment(us: 0))
        _ = try list.apply(.undo, numbers: &numbers, at: Moment(us: 0))
        #expect(list.entries.map(\.trust) == [.anyPath])
    }
}
