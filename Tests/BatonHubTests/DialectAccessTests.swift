import BatonCore
import BatonProtocol
import BatonSeams
import Crypto
import Harness
import Stores
import Testing

@testable import BatonDialectAccess
@testable import BatonHub
@testable import BatonKernel

/// Other protocols by which programs control a hub: their passwords, and what switches them.
@Suite struct `Another protocol` {
    private static let password = "four plain words"

    /// A dialect that notes what it is told.
    @Loop
    private final class Toy: SwitchedDialect {
        let name: String
        var facts: DialectFacts
        var turns: [Bool] = []
        var changes = 0

        init(_ name: String = "mpd", isOn: Bool = true) {
            self.name = name
            facts = DialectFacts(isOn: isOn)
        }

        func turn(on isOn: Bool) async {
            turns.append(isOn)
            facts.isOn = isOn
        }

        func passwordsChanged() { changes += 1 }
    }

    /// A hub with a toy, and with the stores of a folder.
    @Loop
    private final class World {
        let sim: SimulatedHub
        let toy: Toy
        let hashes = PlainPasswords()
        let store: DialectStore

        init(_ folder: String, isOn: Bool = true) async throws {
            sim = try SimulatedHub()
            toy = Toy(isOn: isOn)
            store = try DialectStore(folder: folder)
            await sim.hub.add(toy)
            await sim.hub.open(DialectParts(storage: store, hashing: hashes, cryptography: OpenSSL(), pool: Loop.jobs))
        }

        func check(_ password: String, from address: String = "10.0.0.7") async -> String {
            do throws(ProtocolFault) {
                return try await sim.hub.dialectPasswords.check(password, of: "mpd", from: address).name
            } catch {
                return error.code.rawValue
            }
        }
    }

    private func withWorld(_ body: @Loop (World, TestRemote) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        try await onLoop {
            let world = try await World(folder.path)
            defer { world.store.close() }
            try await body(world, try world.sim.remote(id: "owner-1"))
        }
    }

    @Test func `is listed with where it is reached and who is connected`() async throws {
        try await withWorld { world, owner in
            world.toy.facts.addresses = ["127.0.0.1:6600"]
            world.toy.facts.problem = "The socket file is taken."
            world.toy.facts.connections = (0..<40).map { number in
                DialectFacts.Connection(
                    address: "10.0.0.\(number)", password: "Phone", role: .guest, room: RoomID("living"), lastCommand: "idle", lastMs: 7)
            }
            await world.sim.hub.add(Toy("another", isOn: false))

            let list: DialectList = try await owner.asked(Commands.Dialects())

            #expect(list.rows.map(\.dialect) == ["another", "mpd"] && list.rows.map(\.isOn) == [false, true])
            let row = try #require(list.rows.last)
            #expect(row.addresses == ["127.0.0.1:6600"] && row.problem == "The socket file is taken." && row.connected == 40)
            #expect(row.programs.count == 32 && row.programs[0].address == "10.0.0.0" && row.programs[0].command == "idle")
        }
    }

    @Test func `is switched, and is as it was switched last after a restart`() async throws {
        let folder = try TemporaryFolder()
        try await onLoop {
            let world = try await World(folder.path)
            let owner = try world.sim.remote(id: "owner-1")
            #expect(await owner.refused(Commands.DialectSet("nothing", isOn: true))?.code == "not_found")
            _ = await owner.did(Commands.DialectSet("mpd", isOn: true))
            #expect(world.toy.turns == [])
            _ = await owner.did(Commands.DialectSet("mpd", isOn: false))
            #expect(world.toy.turns == [false])
            world.store.close()

            let later = try await World(folder.path)
            #expect(later.toy.turns == [false] && !later.toy.facts.isOn)
            later.store.close()
        }
    }

    @Test func `has passwords with names and roles, and hears when they change`() async throws {
        try await withWorld { world, owner in
            _ = await owner.did(Commands.DialectPasswordAdd("mpd", name: "Phone", password: Self.password, role: .guest))
            _ = await owner.did(Commands.DialectPasswordAdd("mpd", name: "Attic", password: "another sentence"))
            let list: DialectPasswordList = try await owner.asked(Commands.DialectPasswords("mpd"))
            #expect(list.rows.map(\.name) == ["Attic", "Phone"] && list.rows.map(\.role) == [.remote, .guest])
            #expect(world.toy.changes == 2)
            #expect(await world.check(Self.password) == "Phone")
            #expect(await world.check("wrong words here") == "wrong_password")

            #expect(await owner.refused(Commands.DialectPasswordRemove("mpd", name: "nobody"))?.code == "not_found")
            _ = await owner.did(Commands.DialectPasswordRemove("mpd", name: "PHONE"))
            #expect(world.toy.changes == 3)
            #expect(await world.check(Self.password) == "wrong_password")
            #expect(try world.store.passwords().map(\.password.name) == ["Attic"])
        }
    }

    @Test(arguments: ["short", "with\u{7}a bell", String(repeating: "x", count: 257)])
    func `takes no password that cannot be typed or is too short`(password: String) async throws {
        try await withWorld { world, owner in
            let refusal = await owner.refused(Commands.DialectPasswordAdd("mpd", name: "Phone", password: password))
            #expect(refusal?.code == "bad_request" && world.toy.changes == 0)
        }
    }

    @Test func `has one password of a name, and at most sixteen`() async throws {
        try await withWorld { _, owner in
            for number in 0..<PasswordRegistry.mostPasswords {
                _ = await owner.did(Commands.DialectPasswordAdd("mpd", name: "n\(number)", password: "\(Self.password) \(number)"))
            }
            let again = await owner.refused(Commands.DialectPasswordAdd("mpd", name: "N3", password: Self.password))
            let more = await owner.refused(Commands.DialectPasswordAdd("mpd", name: "more", password: Self.password))
            let other = await owner.refused(Commands.DialectPasswordAdd("nothing", name: "Phone", password: Self.password))
            #expect(again?.code == "invalid_state" && more?.code == "quota" && other?.code == "not_found")
        }
    }

    @Test func `lets an address try five wrong passwords a minute, and no right one after them`() async throws {
        try await withWorld { world, owner in
            _ = await owner.did(Commands.DialectPasswordAdd("mpd", name: "Phone", password: Self.password))
            for _ in 0..<10 { #expect(await world.check(Self.password) == "Phone") }
            for _ in 0..<5 { #expect(await world.check("wrong words here") == "wrong_password") }
            #expect(await world.check(Self.password) == "rate_limited")
            #expect(await world.check(Self.password, from: "10.0.0.8") == "Phone")
            world.sim.time.spend(us: 61_000_000)
            #expect(await world.check(Self.password) == "Phone")
        }
    }

    @Test func `computes the hash of a right password once, and of a wrong one each time`() async throws {
        try await withWorld { world, owner in
            _ = await owner.did(Commands.DialectPasswordAdd("mpd", name: "Phone", password: Self.password))
            let before = world.hashes.computed
            for _ in 0..<3 { _ = await world.check(Self.password) }
            #expect(world.hashes.computed - before == 1)
            for _ in 0..<3 { _ = await world.check("wrong words here") }
            #expect(world.hashes.computed - before == 4)
            world.hashes.setFull(true)
            #expect(await world.check("another wrong one") == "busy")
        }
    }

    @Test func `without its store has no password and cannot be switched`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let toy = Toy()
            await sim.hub.add(toy)
            let owner = try sim.remote(id: "owner-1")
            let set = await owner.refused(Commands.DialectSet("mpd", isOn: false))
            let add = await owner.refused(Commands.DialectPasswordAdd("mpd", name: "Phone", password: Self.password))
            #expect(set?.code == "unavailable" && add?.code == "unavailable" && toy.turns == [])
        }
    }
}

/// How many passwords an address may try.
@Suite struct `The limit on wrong passwords` {
    @Test func `counts by address, and networks of IPv6 as one`() {
        var counter = TryCounter()
        for _ in 0..<5 { if case .failure = counter.begin(from: "2001:db8::1", atUs: 0) { Issue.record("refused") } }
        let refused = counter.begin(from: "2001:db8::2", atUs: 1_000_000)
        #expect(throws: TryCounter.Wait(afterMs: 59_001)) { try refused.get() }
        if case .failure = counter.begin(from: "2001:db8:1::1", atUs: 0) { Issue.record("refused") }
        if case .failure = counter.begin(from: "2001:db8::1", atUs: 60_000_000) { Issue.record("refused") }
    }

    @Test func `remembers only so many addresses`() {
        var counter = TryCounter()
        for number in 0..<20_000 { _ = counter.begin(from: "10.\(number / 65_536).\(number / 256 % 256).\(number % 256)", atUs: 0) }
        #expect(counter.count <= TryCounter.mostAddresses)
    }
}
