/// Playlists against a model: many hands with old knowledge, keys that come twice, and a process that dies.
import BatonCore
import BatonSeams
import Foundation
import Harness
import Testing

@testable import Stores

private let firstSeed = ProcessInfo.processInfo.environment["BATON_SEED"].flatMap(UInt64.init) ?? 0
private let seedCount = ProcessInfo.processInfo.environment["BATON_SEEDS"].flatMap(UInt64.init) ?? 40
/// The seeds of a property: `BATON_SEED` names the first, or it is 0, and `BATON_SEEDS` says how many, or 40. A failing test names its seed.
let seeds = firstSeed..<firstSeed + seedCount

/// The store, its model, and what some people have seen of it.
private struct ModelUsers {
    struct Sent {
        var list: PlaylistID
        var base: Int?
        var edits: [PlaylistEdit]
        var key: CommandKey
        var outcome: PlaylistOutcome
    }

    var random: SeededGenerator
    var library: LibraryStore
    var folder: String
    var lists: [PlaylistID: ModelList] = [:]
    /// Deleted lists as they were, the last one at the end.
    var deleted: [(id: PlaylistID, list: ModelList)] = []
    /// What each of three people last looked at, which may be long ago.
    var seen: [[PlaylistID: ModelList]] = [[:], [:], [:]]
    var sent: [Sent] = []
    var atMs: Milliseconds = 1
    var changes = 0

    mutating func number(_ below: Int) -> Int { Int(random.next() % UInt64(below)) }
    mutating func chance(_ percent: Int) -> Bool { number(100) < percent }
    mutating func one<Element>(_ choices: [Element]) -> Element { choices[number(choices.count)] }

    private mutating func key() -> CommandKey {
        CommandKey(device: "device-\(number(3))", key: "key-\(atMs)", hash: [UInt8(atMs.count & 0xFF), UInt8(atMs.count >> 8 & 0xFF)])
    }

    private mutating func item() -> NewEntry {
        let number = number(8)
        return number < 6
            ? NewEntry(
                uri: ItemURI("lib:track/" + LibraryDatabase.hex(UInt64(number + 1))),
                tags: Tags(title: "Song \(number + 1)", durationMs: 180_000))
            : NewEntry(uri: ItemURI("radio:station/\(number)"), tags: Tags(title: "Radio \(number)"))
    }

    mutating func step() throws {
        atMs += 1
        switch number(100) {
        case 0..<6: try create()
        case 6..<8: try delete()
        case 8..<16: try sendAgain()
        case 16..<30: look()
        case 30..<36: try reopen()
        case 36..<42: try failInside()
        case 42..<46: _ = try library.setStars(item(), number(6), atMs: atMs)
        case 46..<50: try restore()
        default: try edit()
        }
    }

    private mutating func create() throws {
        let items = (0..<number(4)).map { _ in item() }
        let made = try library.createPlaylist("List \(atMs)", items, rule: nil, once: key(), atMs: atMs)
        var list = ModelList(name: "List \(atMs)")
        list.entries = zip(made.added, items).map { ModelList.Entry(id: $0, uri: $1.uri) }
        list.next = UInt64(items.count + 1)
        list.revision = items.isEmpty ? 0 : 1
        lists[made.id] = list
        changes += 1
    }

    private mutating func delete() throws {
        guard let id = ids.randomElement(using: &random) else { return }
        #expect(try library.deletePlaylist(id, once: key()).isNoop == (lists[id] == nil))
        if let list = lists.removeValue(forKey: id) {
            changes += 1
            deleted.append((id, list))
        }
    }

    /// The last one, or one that is stored no longer.
    private mutating func restore() throws {
        guard let (id, list) = deleted.popLast() else { return }
        #expect(try library.restorePlaylist(id, once: key()).revision == list.revision)
        lists[id] = list
        changes += 1
    }

    /// Those there are, in an order of their own.
    private var ids: [PlaylistID] { lists.keys.sorted { $0.text < $1.text } }

    private mutating func look() {
        let person = number(3)
        seen[person] = lists
    }

    private mutating func draw() -> (list: PlaylistID, base: Int?, edits: [PlaylistEdit])? {
        let person = number(3)
        guard let id = seen[person].keys.sorted(by: { $0.text < $1.text }).randomElement(using: &random), let known = seen[person][id]
        else {
            return nil
        }
        let entries = known.entries.map(\.id) + [EntryID(UInt64(number(40) + 1))]
        let place: InsertionPoint = chance(30) ? .end : .after(chance(20) ? nil : one(entries), orEnd: chance(30))
        let some = (0...number(3)).map { _ in one(entries) }
        var edits: [PlaylistEdit] = []
        for _ in 0...(chance(25) ? number(3) : 0) {
            switch number(100) {
            case 0..<34: edits.append(.add((0...number(3)).map { _ in item() }, at: place))
            case 34..<52: edits.append(.remove(some))
            case 52..<74: edits.append(.move(some, to: place))
            case 74..<78: edits.append(.rename("Name \(number(4))"))
            case 78..<80: edits.append(.clear)
            default: edits.append(.undo)
            }
        }
        return (id, edits.contains(.clear) || chance(25) ? known.revision : nil, edits)
    }

    private mutating func edit() throws {
        guard let (id, base, edits) = draw() else { return }
        let once = key()
        let fault = try attempt(id, base, edits, once)
        guard var list = lists[id] else {
            #expect(fault == .notFound)
            return
        }
        let expected = list.edit(base, edits)
        #expect(fault == expected.code, "\(edits)")
        guard fault == nil, let outcome = sent.last?.outcome else { return }
        #expect(outcome.added == expected.added && outcome.isNoop == expected.isNoop && outcome.revision == list.revision)
        if !expected.isNoop { changes += 1 }
        lists[id] = list
    }

    private mutating func attempt(_ id: PlaylistID, _ base: Int?, _ edits: [PlaylistEdit], _ once: CommandKey) throws -> SourceFault.Code? {
        do {
            let outcome = try library.editPlaylist(id, base: base, edits, once: once, atMs: atMs)
            sent.append(Sent(list: id, base: base, edits: edits, key: once, outcome: outcome))
            return nil
        } catch {
            return error.code
        }
    }

    /// A press whose answer was lost comes again, and is answered as it was.
    private mutating func sendAgain() throws {
        guard let old = sent.suffix(30).randomElement(using: &random) else { return }
        var again = try library.editPlaylist(old.list, base: old.base, old.edits, once: old.key, atMs: atMs)
        #expect(again.isDup)
        again.isDup = false
        #expect(again == old.outcome)
    }

    /// The disk fails somewhere inside of an edit: it has not happened, and its key was not used.
    private mutating func failInside() throws {
        guard let (id, base, edits) = draw() else { return }
        library.failAfter(steps: number(24))
        let once = key()
        let fault = try attempt(id, base, edits, once)
        library.failAfter(steps: nil)
        guard fault == nil, var list = lists[id] else { return }
        let expected = list.edit(base, edits)
        #expect(expected.code == nil)
        if !expected.isNoop { changes += 1 }
        lists[id] = list
    }

    /// Sometimes closed; sometimes dead in the middle of its life, and what it had written is all there is.
    private mutating func reopen() throws {
        if chance(50) {
            library.close()
        } else {
            let grave = folder + "-\(atMs)"
            try FileManager.default.copyItem(atPath: folder, toPath: grave)
            library.close()
            try FileManager.default.removeItem(atPath: folder)
            try FileManager.default.moveItem(atPath: grave, toPath: folder)
        }
        library = try LibraryStore(folder: folder)
        #expect(library.notices.isEmpty)
    }

    /// Everything that can be seen is as the model says.
    func check() throws {
        let rows = try library.playlists(PageWindow(limit: 1000))
        #expect(Set(rows.map(\.id)) == Set(lists.keys) && library.libraryCounts().playlists == lists.count)
        #expect(library.libraryCounts().playlistRevision == changes)
        for row in rows {
            guard let list = lists[row.id] else { continue }
            let page = try library.playlist(row.id, from: 0, count: 10_000)
            #expect(page.entries.map { ModelList.Entry(id: $0.id, uri: $0.row.uri) } == list.entries)
            #expect(try library.expandPlaylist(row.id).map(\.uri) == list.entries.map(\.uri))
            #expect(row.name == list.name && row.revision == list.revision && row.count == list.entries.count)
            #expect(row.undo == list.past.last?.verb)
            let songs = list.entries.count { $0.uri.source == "lib" }
            #expect(row.durationMs == Milliseconds(songs) * 180_000)
        }
    }
}

struct PlaylistModelTests {
    private let songs = (1...6).map { Song("Song \($0)", by: ["Ann"], on: "First", sound: UInt64($0)) }

    @Test(arguments: seeds) func `whatever many hands, repeats and deaths do to playlists, they are what was answered`(seed: UInt64) throws
    {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            var house = ModelUsers(random: SeededGenerator(seed), library: try LibraryStore(folder: folder), folder: folder)
            defer { house.library.close() }
            try house.library.scan(songs)
            house.changes = house.library.libraryCounts().playlistRevision
            for step in 0..<120 {
                try house.step()
                if step % 10 == 9 { try house.check() }
            }
            try house.check()
        }
    }
}
