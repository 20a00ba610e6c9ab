import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Foundation
import Harness
import Stores
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import BatonLibrary
@testable import Companion

private let seeds = seedRange(usually: 5)

/// Random commands of random users, whose roles and rooms change meanwhile. BT-USR-004 BT-USR-008 BT-USR-010 BT-USR-011
@Suite struct `Users among each other` {
    @Test(arguments: seeds)
    func `never do in a room what their role or its rule forbids, and are refused nothing else`(seed: UInt64) async throws {
        try await onLoop {
            let world = try await UserWorld(seed: seed)
            defer { world.close() }
            for step in 0..<120 {
                if Bool.random(using: &world.random), Bool.random(using: &world.random) { try await world.changeRules() }
                try await world.press(step)
            }
        }
    }

    @Test(arguments: seeds) func `are told of no private list, mark or note of another, whatever they ask`(seed: UInt64) async throws {
        try await onLoop {
            let world = try await UserWorld(seed: seed)
            defer { world.close() }
            try await world.hideThings()
            for step in 0..<150 {
                if step % 40 == 39 { try await world.changeRules() }
                try await world.pry(step)
            }
            world.checkSecrets(seed)
        }
    }
}

/// A hub with two rooms, an owner, and some users.
@Loop
private final class UserWorld {
    /// One command: what it takes, and in which rooms it decides what plays.
    struct Press {
        enum Reach { case room, bothRooms, nothing }

        let name: String
        let needs: Role
        let reach: Reach
        let send: @Loop (TestRemote, _ key: String, RoomID) -> Int

        init(_ command: some WireCommand, _ needs: Role = .remote, _ reach: Reach = .room) {
            name = "\(command)"
            self.needs = needs
            self.reach = reach
            send = { $0.send(command, key: $1, room: $2) }
        }
    }

    @Loop
    final class Person {
        let name: String
        let token: String?
        var role: Role
        var remote: TestRemote { didSet { past += oldValue.frames } }
        /// What was sent to the connections before.
        var past: [String] = []
        var frames: [String] { past + remote.frames }

        init(_ name: String, _ token: String?, _ role: Role, _ remote: TestRemote) {
            self.name = name
            self.token = token
            self.role = role
            self.remote = remote
        }
    }

    let sim: SimulatedHub
    let seed: UInt64
    var random: SeededGenerator
    private let folder: String
    private let store: LibraryStore
    private var people: [Person] = []
    private var rules: [RoomID: RoomControl] = [:]
    private var lists: [(id: PlaylistID, name: String)] = []
    private var owner: TestRemote
    private var number = 100
    private let rooms: [RoomID]

    private static let names = ["anna", "ben", "cleo", "dora"]
    private static let roles: [Role] = [.listener, .guest, .remote, .admin]
    private static let password = "a long sentence"

    init(seed: UInt64) async throws {
        self.seed = seed
        random = SeededGenerator(seed &+ 1)
        folder = FileManager.default.temporaryDirectory.path + "/baton-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        store = try LibraryStore(folder: folder)
        var limits = WireLimits.standard
        (limits.commandsPerSecond, limits.commandBurst) = (10_000, 10_000)
        sim = try SimulatedHub(
            limits: limits, guestVolume: 0...60,
            library: LibraryParts(userMarks: store, bookmarks: store, persons: store, connectors: [PlaylistShelf(store)]))
        owner = try sim.remote(id: "owner-1")
        let made = try #require(await owner.awaitReply(owner.send(Commands.RoomCreate("Kitchen"), key: "kitchen-1")))
        #expect(made.reply.isSuccess)
        rooms = sim.hub.rooms.all.map { $0.room.id }
        for name in Self.names {
            let role = Self.roles.randomElement(using: &random) ?? .remote
            #expect(await owner.did(Commands.UserAdd(name, password: Self.password, role: role)))
            let remote = try sim.remote(id: "\(name)-0001")
            let signed: SignedInUser = try await remote.asked(Commands.UserSignIn(name, password: Self.password))
            people.append(Person(name, signed.token, role, remote))
        }
        // Over TCP on the hub's own machine, without a user.
        people.append(Person("visitor", nil, .remote, try sim.remote(id: "visitor-1", over: .loopback)))
        let begun = await owner.awaitReply(owner.send(Commands.Play(ItemURI("file:track/album:5")), key: "begin-it"))
        #expect(begun?.reply.isSuccess == true)
    }

    func close() {
        sim.kill()
        store.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    // MARK: Roles and rules

    /// Another role for a user, or another rule for a room.
    func changeRules() async throws {
        if Bool.random(using: &random) {
            let person = people[Int.random(in: 0..<Self.names.count, using: &random)]
            person.role = Self.roles.randomElement(using: &random) ?? .remote
            _ = await owner.did(Commands.UserRole(person.name, role: person.role))
        } else {
            let room = rooms[Int.random(in: 0..<rooms.count, using: &random)]
            let who = [RoomControl.Who.all, .users, .named].randomElement(using: &random) ?? .all
            let named = Bool.random(using: &random) ? Self.names.randomElement(using: &random) : nil
            let isOff = Bool.random(using: &random)
            #expect(await owner.did(Commands.RoomControlSet(room: room, who: who, user: named, isOff: isOff)))
            var rule = rules[room] ?? RoomControl()
            rule.who = who
            if let named { rule.names = rule.names.filter { $0 != named } + (isOff ? [] : [named]) }
            rules[room] = rule
        }
        sim.time.pass(.milliseconds(10))
        for person in people where person.remote.closed != nil {
            person.remote = try sim.remote(id: "\(person.name)-0001", user: person.token)
        }
    }

    /// As the specification says it, and not as the hub computes it.
    private func may(_ person: Person, _ press: Press, in room: RoomID) -> Bool {
        guard person.role >= press.needs else { return false }
        guard press.reach != .nothing, person.role < .admin else { return true }
        return (press.reach == .room ? [room] : rooms).allSatisfy { room in
            switch rules[room]?.who ?? .all {
            case .all: true
            case .users: person.token != nil
            case .named: rules[room]?.names.contains(person.name) == true
            }
        }
    }

    // MARK: Pressing

    func press(_ step: Int) async throws {
        let person = people[Int.random(in: 0..<people.count, using: &random)]
        let room = rooms[Int.random(in: 0..<rooms.count, using: &random)]
        let press = anyPress(in: room)
        let isAllowed = may(person, press, in: room)
        sim.time.settle()
        let before = shown

        let reply = try #require(await send(press, from: person, in: room), "seed \(seed), step \(step): \(press.name) got no answer.")

        var code: String?
        if case .failed(let error) = reply.reply.outcome { code = error.code }
        let rule = rules[room]?.who.rawValue ?? "all"
        let what = "seed \(seed), step \(step): \(press.name) of \(person.name) (\(person.role)) in \(room), \(rule)"
        if isAllowed {
            #expect(code != "forbidden", "\(what)")
        } else {
            #expect(code == "forbidden", "\(what)")
            #expect(shown == before, "\(what)")
        }
    }

    private func send(_ press: Press, from person: Person, in room: RoomID) async -> ReceivedReply? {
        number += 1
        return await person.remote.awaitReply(press.send(person.remote, "key-\(number)", room))
    }

    private func anyPress(in room: RoomID) -> Press {
        let base = sim.hub.rooms[room]?.room.queue.revision ?? 0
        let other = rooms.first { $0 != room } ?? room
        let song = [ItemURI("file:track/song-\(Int.random(in: 0..<9, using: &random))")]
        let presses = [
            Press(Commands.Play()), Press(Commands.Play(song[0])), Press(Commands.Pause()), Press(Commands.Stop()),
            Press(Commands.Toggle(.playing)), Press(Commands.Next()), Press(Commands.Seek(positionMs: 1_000)),
            Press(Commands.ModeSet(repeat: true)), Press(Commands.QueueReplace(base, uris: song)), Press(Commands.QueueClear(base)),
            Press(Commands.QueueShuffle(base)), Press(Commands.QueueUndo()), Press(Commands.QueueAdd(song), .guest),
            Press(Commands.VolumeSet(Int.random(in: 5..<40, using: &random)), .guest), Press(Commands.VolumeStep(1), .guest),
            Press(Commands.VolumeMute(Bool.random(using: &random)), .guest), Press(Commands.SleepClear()),
            Press(Commands.RoomMove(other), .remote, .bothRooms), Press(Commands.RoomJoin("den", room: "x")),
            Press(Commands.RoomUnjoin()), Press(Commands.RadioPlay(preset: 1)),
            Press(Commands.RoomSet(room: room, ceiling: 90), .admin, .nothing),
            Press(Commands.RoomRename(room, name: "Room \(number)"), .admin, .nothing),
            Press(Commands.RoomControlSet(room: room), .admin, .nothing), Press(Commands.VoteRule(500), .admin, .nothing),
            Press(Commands.Users(), .admin, .nothing), Press(Commands.QueueWindow(), .listener, .nothing),
            Press(Commands.PlayedHistory(), .listener, .nothing),
        ]
        return presses.randomElement(using: &random) ?? presses[0]
    }

    /// What commands change: rooms, users and rules.
    private var shown: [String] {
        let rooms = sim.hub.rooms.all.map { live in
            let room = live.room
            return """
                \(room.id) \(room.name) \(room.queue.entries.map(\.id)) \(room.queue.current.map { "\($0)" } ?? "-") \
                \(room.isPlaying) \(room.volume) \(room.modes) \(room.sleep.map { "\($0)" } ?? "-") \(room.presence.voteShare)
                """
        }
        let users = sim.hub.users.map { users in users.users.values.map { "\($0.user)" }.sorted() + ["\(users.controls.count)"] }
        return rooms + (users ?? [])
    }

    // MARK: Secrets

    /// A list, marks and a note for each user, all with a word of that user.
    func hideThings() async throws {
        for person in people where person.token != nil {
            #expect(await owner.did(Commands.UserRole(person.name, role: .remote)))
            person.role = .remote
        }
        sim.time.pass(.milliseconds(10))
        for person in people where person.token != nil {
            person.remote = try sim.remote(id: "\(person.name)-0001", user: person.token)
            let word = secret(person.name)
            let item = ItemURI("file:track/\(word)-item")
            for press in [
                Press(Commands.PlaylistCreate("\(word)-list", uris: [item])), Press(Commands.FavouriteSet(item, isOn: true)),
                Press(Commands.RatingSet(item, stars: 5)),
                Press(Commands.MarkAdd(uri: item, positionMs: 1_000, note: "\(word)-note")),
            ] {
                let reply = await send(press, from: person, in: rooms[0])
                #expect(reply?.reply.isSuccess == true, "\(press.name): \(String(describing: reply?.reply.outcome))")
            }
        }
        lists = try store.playlists(PageWindow()).map { ($0.id, $0.name) }
        #expect(lists.count == Self.names.count)
        for person in people {
            person.remote.forgetFrames()
            person.past = []
        }
    }

    private static let favourites = ItemURI("lib:shelf/favourites")

    private func secret(_ name: String) -> String { "hidden-of-\(name)" }

    /// A question of any kind, of any person, about what is another's.
    func pry(_ step: Int) async throws {
        let person = people[Int.random(in: 0..<people.count, using: &random)]
        let (list, name) = lists[Int.random(in: 0..<lists.count, using: &random)]
        let uri = list.uri
        let looks = [
            Press(Commands.Playlists()), Press(Commands.Playlist(list)), Press(Commands.Playlist(list, link: "AAAAAAAAAAAAAAAAAAAAAA")),
            Press(Commands.Browse(node: uri)), Press(Commands.Browse(node: ItemURI("pl:list"))),
            Press(Commands.Browse(node: Self.favourites)),
            Press(Commands.Item(uri)), Press(Commands.Search("hidden")), Press(Commands.PlayedHistory()), Press(Commands.Marks()),
            Press(Commands.Marks(uri: uri)), Press(Commands.FavouriteSet(uri, isOn: true)), Press(Commands.UserExport()),
            Press(Commands.UserSessions()), Press(Commands.UserMe()), Press(Commands.KeepSet(.item(uri), true)),
            Press(Commands.QueueWindow()), Press(Commands.QueueHistory()),
        ]
        // What users do with lists of their own is seen in the room, and no secret any more.
        let deeds = [
            Press(Commands.PlaylistEdit(id: list, ops: [.plain(.clear)])), Press(Commands.PlaylistShare(list, share: .private)),
            Press(Commands.PlaylistCreate("copy", uris: [uri])), Press(Commands.Play(uri)), Press(Commands.QueueAdd([uri])),
            Press(Commands.ModeSet(unfinished: .filler, filler: uri)),
        ]
        let isOwn = name.hasPrefix(secret(person.name))
        let press = (isOwn ? looks : looks + deeds).randomElement(using: &random) ?? looks[0]
        _ = try #require(await send(press, from: person, in: rooms[0]), "\(press.name) got no answer.")
        if step.isMultiple(of: 10) { sim.time.pass(.seconds(1)) }
    }

    /// Of all that was sent to all of them.
    func checkSecrets(_ seed: UInt64) {
        for person in people {
            for other in people where other.name != person.name && other.token != nil {
                let leak = person.frames.first { $0.contains(secret(other.name)) }
                #expect(leak == nil, "seed \(seed): \(person.name) was told \(leak ?? "")")
            }
        }
        // The words are there to be found by who may see them.
        #expect(people.contains { person in person.frames.contains { $0.contains(secret(person.name)) } })
    }
}
