/// What survives, and what a second opening finds.
import BatonCore
import BatonSeams
import Foundation
import Harness
import SQLite
import Testing

@testable import Stores

struct StateFileTests {
    /// `baton doctor` has no SQLite, and so not the schema itself.
    @Test func `the newest form that others are told of is that of the schema`() {
        #expect(JournalFormat.version == Schema.state.version)
    }

    /// A room of which nothing is as usual.
    private static let kitchen = {
        var room = RoomRow(id: RoomID("kitchen"), name: "Küche \u{1F3B5} 'quoted'")
        room.queueRevision = 911
        room.current = EntryID(7)
        room.positionMs = 93_000
        room.playing = true
        room.level = 42
        room.muted = true
        (room.modes.repeat, room.modes.single, room.modes.consume) = (true, .once, .on)
        room.modes.shuffle = true
        room.modes.speed = 1250
        room.floor = 5
        room.ceiling = 80
        room.startMax = 40
        room.output = "pulse/kitchen"
        room.speeds = RoomSpeeds(music: 1000, spoken: SpokenSpeeds(last: 1250))
        room.modes.raisesVoice = true
        room.modes.trims = true
        (room.modes.forwardMs, room.modes.backMs) = (45_000, 10_000)
        room.speeds.set(1500, for: .speech(work: .max, series: 7))
        room.resumption = Resumption(fromMs: 90_000, pausedAtMs: 1_234_567_890_123)
        let (early, late) = (HeardPoint(EntryID(1), positionMs: 5), HeardPoint(EntryID(2), positionMs: 90_000))
        room.sleepPositions = SleepPositions(
            pressed: late, began: early, asleep: SleepPositions.Asleep(ended: late, began: early, pressed: early, atMs: 1_700_000_000_000))
        room.links = RoomLinks(text: "abc123 \(String(repeating: "0f", count: 32)) 17 my%20car Ana")
        room.presence = RoomPresence(text: "share 700\nvotes q5 ada%20b user/ben\nrefused 99 ben")
        room.sleep = SleepWish(.time, amount: 90_000, fadeMs: 5000)
        return room
    }()

    @Test func `a room comes back as it was committed`() throws {
        try withFolder { folder in
            let room = Self.kitchen
            try withStore(in: folder) { try $0.commit([Change(room: living, revision: 1), Change(room: room, revision: 2)]) }

            let found = try withStore(in: folder) { try $0.load() }

            #expect(found.rooms.map(\.room) == [living, room])
        }
    }

    @Test func `links and people of a room are written when they change, also of a room that is made anew`() throws {
        try withFolder { folder in
            var room = living
            room.links = Self.kitchen.links
            room.presence = Self.kitchen.presence
            try withStore(in: folder) { file in
                for _ in 0..<2 { try file.commit([Change(room: room, revision: 1)]) }
                try file.commit([Change(room: living, revision: 2)])
                #expect(try file.load().rooms.map(\.room) == [living])
                try file.commit([Change(room: room, revision: 3)])
                try file.commit([Change(forgetting: living.id, revision: 4), Change(room: room, revision: 5)])
                #expect(try file.load().rooms.map(\.room) == [room])
            }
        }
    }

    @Test func `links that could not be written are written by the next change`() throws {
        try withFolder { folder in
            try withStore(in: folder) { file in
                var room = living
                room.links = Self.kitchen.links
                var steps = 0
                while true {
                    try file.commit([Change(room: living, revision: 1)])
                    file.database.failAfter(steps: steps)
                    let fault = fault { try file.commit([Change(room: room, revision: 2)]) }
                    file.database.failAfter(steps: nil)
                    try file.commit([Change(room: room, revision: 2)])
                    try #require(try file.load().rooms.map(\.room) == [room], "after \(steps) steps")
                    guard fault != nil else { break }
                    steps += 1 + steps / 20
                    try #require(steps < 1_000_000)
                }
                #expect(steps > 10)
            }
        }
    }

    /// One after the other is changed in the file; what is read then is written into a file of its own.
    @Test func `each number and each flag of a room comes back`() throws {
        try withFolder { folder in
            try withStore(in: folder) { try $0.commit([Change(room: Self.kitchen, revision: 1)]) }
            let numbers = try columns(in: folder, where: "type = 'INTEGER' AND name != 'deletion'")
            #expect(numbers.count > 20)
            for number in numbers {
                let database = try Database(folder + "/state.db")
                try database.execute("UPDATE room SET \(number) = iif(\(number) IN (0, 1), 1 - \(number), \(number) + 1)")
                database.close()
                let room = try #require(try withStore(in: folder) { try $0.load() }.rooms.first?.room)
                try withFolder { other in
                    try withStore(in: other) { try $0.commit([Change(room: room, revision: 1)]) }
                    #expect(try row(in: other) == row(in: folder), "\(number)")
                }
            }
        }
    }

    @Test func `the modes of a room come back in every combination`() throws {
        let switches = ModeSwitch.allCases
        for (repeats, single, consume) in [false, true].flatMap({ r in switches.flatMap { s in switches.map { (r, s, $0) } } }) {
            try withFolder { folder in
                var room = living
                (room.modes.repeat, room.modes.single, room.modes.consume) = (repeats, single, consume)
                try withStore(in: folder) { try $0.commit([Change(room: room, revision: 1)]) }
                let found = try withStore(in: folder) { try $0.load() }.rooms.first?.room
                #expect(found == room)
            }
        }
    }

    private func columns(in folder: String, where condition: String) throws -> [String] {
        let database = try Database(folder + "/state.db")
        defer { database.close() }
        return try database.words("SELECT name FROM pragma_table_info('room') WHERE \(condition)")
    }

    /// What the only room has in each column.
    private func row(in folder: String) throws -> [String] {
        let names = try columns(in: folder, where: "true")
        let database = try Database(folder + "/state.db")
        defer { database.close() }
        return try names.map { name in try database.first("SELECT quote(\(name)) FROM room") { "\(name) \($0.text(0))" } ?? name }
    }

    @Test func `an entry comes back with everything that is known about it`() throws {
        try withFolder { folder in
            var tags = Tags()
            tags.kind = .station
            tags.title = "Zero \0 inside"
            tags.artists = ["One", "Two, and a half", "Drei"]
            tags.album = "Kid A"
            tags.albumArtist = "Radiohead"
            tags.track = 4
            tags.disc = 1
            tags.year = 2000
            tags.durationMs = 251_000
            tags.streamTitle = "now: this"
            let row = QueueEntry(
                id: EntryID(9), uri: ItemURI("file:track/a%20b.flac"), tags: tags, addedBy: "Ana", addedAtMs: 1_700_000_000_123,
                share: "lan/10.0.0.7")
            let bare = QueueEntry(id: EntryID(10), uri: ItemURI("http://radio/"), tags: Tags(), addedAtMs: 0)
            try withStore(in: folder) { try $0.commit(.inserted([row, bare], after: nil)) }

            let found = try withStore(in: folder) { try $0.load() }

            #expect(found.rooms.first?.queue.entries == [row, bare])
        }
    }

    @Test func `an entry can be described anew without moving`() throws {
        try withFolder { folder in
            try withStore(in: folder) { file in
                try file.commit(.inserted(entries(1...3), after: nil))
                try file.commit(.described(entry(2, "Everything in Its Right Place")))

                let found = try file.load().rooms[0].queue.entries
                #expect(found == [entry(1), entry(2, "Everything in Its Right Place"), entry(3)])
            }
        }
    }

    @Test func `rooms keep the order in which they were made, whatever becomes of others`() throws {
        try withFolder { folder in
            try withStore(in: folder) { file in
                for name in ["a", "b", "c"] { try file.commit([Change(room: RoomRow(id: RoomID(name), name: name), revision: 1)]) }
                try file.commit([Change(forgetting: RoomID("a"), revision: 2)])
                try file.commit([Change(room: RoomRow(id: RoomID("b"), name: "renamed"), revision: 3)])
                try file.commit([Change(room: RoomRow(id: RoomID("a"), name: "again"), revision: 4)])
            }

            let found = try withStore(in: folder) { try $0.load() }

            #expect(found.rooms.map(\.room.name) == ["renamed", "c", "again"])
        }
    }

    @Test func `entries go from one room to another in one transaction, or stay`() throws {
        try withFolder { folder in
            let hall = RoomRow(id: RoomID("hall"), name: "Hall")
            try withStore(in: folder) { file in
                try file.commit(.replaced(entries(1...50)))
                try file.commit([
                    Change(room: hall, queue: QueueStep([.replaced(entries(60...70))], result: StoresTests.queue(60...70)), revision: 2)
                ])
                let answer = StoredAnswer(device: "d", key: "move", hash: 1, reply: reply())
                let move = [
                    Change(room: living, queue: QueueStep([.replaced([])], result: StoresTests.queue([])), revision: 3),
                    Change(
                        room: hall, queue: QueueStep([.replaced(entries(1...50))], result: StoresTests.queue(1...50)), answer: answer,
                        revision: 3),
                ]
                let before = try file.load()

                var steps = 0
                while true {
                    file.database.failAfter(steps: steps)
                    let fault = fault { try file.commit(move) }
                    file.database.failAfter(steps: nil)
                    guard fault != nil else { break }
                    steps += 1 + steps / 20
                    try #require(steps < 1_000_000)
                    try #require(try file.load() == before, "after \(steps) steps")
                    try #require(try file.answer(device: "d", key: "move", to: .next) == nil)
                }
                #expect(steps > 10)
            }

            let found = try withStore(in: folder) { try $0.load() }
            #expect(found.rooms.map { $0.queue.entries.count } == [0, 50])
        }
    }

    @Test func `a forgotten room takes its queue along`() throws {
        try withFolder { folder in
            try withStore(in: folder) { file in
                try file.commit(.inserted(entries(1...3), after: nil))
                let other = RoomRow(id: RoomID("other"), name: "Other")
                try file.commit([
                    Change(
                        room: other, queue: QueueStep([.inserted([entry(4)], after: nil)], result: StoresTests.queue([4])), revision: 2),
                    Change(forgetting: living.id, revision: 3),
                ])

                #expect(try file.load().rooms == [RecoveredRoom(room: other, queue: StoresTests.queue([4]))])
            }
        }
    }

    @Test func `a deleted room is kept with its queue, and has its place again when it is restored`() throws {
        try withFolder { folder in
            let rooms = [living, RoomRow(id: RoomID("other"), name: "Other"), RoomRow(id: RoomID("third"), name: "Third")]
            try withStore(in: folder) { file in
                for room in rooms { try file.commit([Change(room: room, revision: 1)]) }
                try file.commit(.inserted(entries(1...3), after: nil))
                try file.commit([Change(deleting: rooms[1].id, revision: 3)])
                try file.commit([Change(deleting: living.id, revision: 4)])
            }
            try withStore(in: folder) { file in
                let found = try file.load().rooms
                #expect(found.map(\.deletion) == [2, 1, 0])
                #expect(found[0].queue.entries == entries(1...3))

                try file.commit([Change(room: found[0].room, revision: 5)])
            }

            let found = try withStore(in: folder) { try $0.load() }.rooms

            #expect(found.map(\.deletion) == [0, 1, 0] && found.map(\.room.id) == rooms.map(\.id))
            #expect(found[0].queue.entries == entries(1...3))
        }
    }

    @Test func `an entry moves to another room and keeps its id`() throws {
        try withFolder { folder in
            try withStore(in: folder) { file in
                try file.commit(.inserted(entries(1...2), after: nil))
                let other = RoomRow(id: RoomID("other"), name: "Other")
                try file.commit([
                    Change(room: living, queue: file.step(.removed([EntryID(1)])), revision: 2),
                    Change(
                        room: other, queue: QueueStep([.inserted([entry(1)], after: nil)], result: StoresTests.queue([1])), revision: 2),
                ])

                #expect(try file.load().rooms.map { $0.queue.entries.map(\.id.number) } == [[2], [1]])
            }
        }
    }

    @Test func `only the owner may read what is kept`() throws {
        try withFolder { folder in
            try withStore(in: folder) { file in
                try file.commit(.inserted(entries(1...3), after: nil))

                func mode(_ path: String) throws -> Int? {
                    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                }
                #expect(try mode(folder) == 0o700)
                for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                    #expect(try mode(folder + "/" + name) == 0o600, "\(name)")
                }
            }
        }
    }

    @Test func `a missing folder is made with everything above it`() throws {
        try withFolder { folder in
            try withStore(in: folder + "/a/b/") { try $0.commit(.inserted([entry(1)], after: nil)) }

            #expect(try withStore(in: folder + "/a/b") { try $0.queue() } == [1])
        }
    }

    // MARK: - Numbers given away

    @Test func `numbering goes on above anything that was ever sent`() throws {
        try withFolder { folder in
            let first = try withStore(in: folder) { file in
                #expect(try file.load() == Recovered(epoch: "e1"))
                try file.reserveRevisions(upTo: 1000)
                try file.commit(.inserted([entry(5)], after: nil), revision: 1)
                try file.commit(.inserted([entry(3_000)], after: nil), revision: 2_500)
                return try file.load()
            }

            let second = try withStore(in: folder, epoch: "e2") { try $0.load() }

            #expect(first.revisionFloor >= 2_500 && first.nextEntry > 3_000)
            #expect(second == first)
            #expect(second.epoch == "e1")
        }
    }

    @Test func `numbers that entries of a private room were given do not come again`() throws {
        try withFolder { folder in
            try withStore(in: folder) { file in
                var change = Change(room: RoomRow(id: RoomID("main"), name: "Main room"), revision: 1)
                change.nextEntry = 7_000
                try file.commit([change])
            }
            #expect(try withStore(in: folder, epoch: "e2") { try $0.load() }.nextEntry >= 7_000)
        }
    }

    @Test func `a hub that was killed finds every commit and keeps its epoch`() throws {
        try withFolder { folder in
            try withFolder { copy in
                try withStore(in: folder) { file in
                    _ = try file.load()
                    try file.reserveRevisions(upTo: 1000)
                    for number in UInt64(1)...50 {
                        try file.commit(.inserted([entry(number)], after: nil), revision: Int(number))
                    }
                    // What the disk holds while the store is open is what a kill leaves behind.
                    try FileManager.default.copyItem(atPath: folder, toPath: copy)
                }

                let found = try withStore(in: copy, epoch: "e2") { try $0.load() }

                #expect(found.rooms[0].queue.entries.map(\.id.number) == (1...50).reversed())
                #expect(found.epoch == "e1")
                #expect(found.revisionFloor == 1000)
                #expect(found.nextEntry > 50)
            }
        }
    }

    @Test func `after a power cut a new epoch begins and no entry number comes again`() throws {
        try withFolder { folder in
            try withFolder { copy in
                let before = try withStore(in: folder) { file in
                    try file.commit(.inserted([entry(1)], after: nil))
                    try FileManager.default.copyItem(atPath: folder, toPath: copy)
                    return try file.load()
                }

                let cut = try withStore(in: copy, epoch: "e2", boot: "b2") { try $0.load() }
                let reboot = try withStore(in: folder, epoch: "e2", boot: "b2") { try $0.load() }

                #expect(cut.epoch == "e2")
                #expect(cut.nextEntry >= before.nextEntry + 10_000)
                #expect(reboot == before, "A clean close loses nothing, so nothing changes.")
            }
        }
    }

    @Test func `the log is moved into the database while the hub runs`() throws {
        try withFolder { folder in
            try withStore(in: folder) { file in
                var number: UInt64 = 0
                while file.checkpointer.isIdle {
                    number += 1
                    try file.commit(.inserted([entry(number)], after: nil))
                    try #require(number < 3_000, "The log should have grown enough by now.")
                }
                file.checkpointer.finish()

                // The first commit after all of it was moved starts the log over.
                try file.commit(.inserted([entry(number + 1)], after: nil))

                #expect(file.database.logPages * 4096 < StateFile.checkpointBytes)
                #expect(try file.queue() == (1...number + 1).reversed())
            }
        }
    }

    @Test func `a stream of commits without a pause does not grow the log without bound`() throws {
        try withFolder { folder in
            try withStore(in: folder) { file in
                file.logLimit = 5 << 20
                var largest = 0
                for number in UInt64(1)...3_000 {
                    try file.commit(.inserted([entry(number)], after: nil))
                    largest = max(largest, file.database.logPages * 4096)
                }

                #expect(largest < 6 << 20)
                #expect(file.database.logPages * 4096 < largest, "It started over.")
            }
        }
    }
}
