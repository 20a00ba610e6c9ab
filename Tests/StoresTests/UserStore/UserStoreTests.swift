/// Users, sessions and links survive a restart; a damaged file is set aside, and one of a newer version is left alone.
import BatonCore
import BatonProtocol
import BatonSeams
import Foundation
import Harness
import SQLite
import Stores
import Testing

@Suite struct UserStoreTests {
    private let data: TemporaryFolder

    init() throws { data = try TemporaryFolder() }

    private func store() throws -> UserStore { try UserStore(folder: data.path) }

    private let anna = StoredUser(
        User(name: "Änna", role: .admin, isApproved: false, createdMs: 1_763_740_800_000),
        password: PasswordHash(cost: .usual, salt: [1, 2, 0, 255], hash: [UInt8](repeating: 7, count: 32)))
    private let guest = StoredUser(
        User(name: "guest", role: .listener, isGuest: true, createdMs: 1_763_740_800_001, expiresMs: 1_763_740_900_000), password: nil)
    private let session = StoredSession(hash: [UInt8](repeating: 9, count: 32), user: "änna", createdMs: 5, address: "10.0.0.1")
    private let link = UserLink(device: DeviceID("d_5k2"), user: "änna")

    @Test func `everything is there again`() throws {
        let first = try store()
        try first.store([.put(anna), .put(guest), .open(session), .link(link)])
        first.close()

        let found = try store().load()

        #expect(found == UserTable(users: [anna, guest], sessions: [session], links: [link]))
    }

    @Test func `a change is kept without a close, as after a kill`() throws {
        let first = try store()
        try first.store([.put(anna), .open(session)])

        #expect(try store().load().sessions == [session])
        _ = first
    }

    @Test func `who is removed leaves no session and no link`() throws {
        let store = try store()
        try store.store([.put(anna), .put(guest), .open(session), .link(link)])
        try store.store([.remove("änna")])

        #expect(try store.load() == UserTable(users: [guest]))
    }

    @Test func `sessions end and devices are unlinked one by one`() throws {
        let store = try store()
        let other = StoredSession(hash: [1], user: "änna", createdMs: 6, address: "")
        try store.store([.put(anna), .open(session), .open(other), .link(link)])
        try store.store([.end(session.hash), .unlink(link.device)])

        #expect(try store.load() == UserTable(users: [anna], sessions: [other]))
    }

    @Test func `a user is replaced by the same one with other rights`() throws {
        let store = try store()
        try store.store([.put(anna)])
        var changed = anna
        changed.user.role = .guest
        changed.user.isApproved = true
        try store.store([.put(changed)])

        #expect(try store.load().users == [changed])
    }

    @Test func `who controls a room is there again, until all do`() throws {
        let first = try store()
        try first.store([
            .control(RoomID("main"), RoomControl(.named, names: ["anna", "ben"])), .control(RoomID("b"), RoomControl(.users)),
        ])
        first.close()
        let second = try store()
        #expect(
            try second.load().controls == [
                RoomID("main"): RoomControl(.named, names: ["anna", "ben"]), RoomID("b"): RoomControl(.users),
            ])
        try second.store([.control(RoomID("main"), RoomControl())])
        #expect(try second.load().controls.keys.map(\.text) == ["b"])
    }

    @Test func `a damaged file is set aside with a sentence`() throws {
        try Data("no database at all".utf8).write(to: URL(fileURLWithPath: data.path + "/users.db"))

        let store = try store()

        #expect(store.notices.count == 1 && store.notices[0].contains("users.db.damaged-1"))
        #expect(try store.load() == UserTable())
    }

    @Test func `a file of a newer version is left alone`() throws {
        let path = data.path + "/users.db"
        let newer = try Database(path)
        try newer.execute("CREATE TABLE future (x); PRAGMA user_version = 99;")
        newer.close()

        #expect(throws: SourceFault.self) { try store() }
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test func `no other user of the machine can read it`() throws {
        let store = try store()
        try store.store([.put(anna)])

        let mode = try FileManager.default.attributesOfItem(atPath: data.path + "/users.db")[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }
}
