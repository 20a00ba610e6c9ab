/// The rules that hold for several commands: a command that meets two of them hears of the first, and the handler does not act.
import BatonCore
import BatonProtocol
import BatonSeams
import Foundation
import Harness
import Stores
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import BatonLibrary
@testable import BatonMaking

@Suite struct `The steps before the handler of a command` {
    @Test func `stand in one list, in this order`() async throws {
        try await onLoop {
            let steps = try SimulatedHub().hub.commands.table.stepsOfKinds.map { $0.map { "\(type(of: $0))" } }
            #expect(
                steps[CommandKind.play.index] == [
                    "SentOutRule", "PlaylistPrivacy", "RoomRules", "EndlessCommandStep", "PlaceCommandStep", "JoiningCommands",
                ])
            #expect(
                steps[CommandKind.queueAdd.index].prefix(5) == [
                    "SentOutRule", "GuestRules", "PlaylistPrivacy", "RoomRules", "EndlessCommandStep",
                ])
            // No other step stands anywhere.
            #expect(Set(steps.joined()) == Set(steps[CommandKind.play.index] + ["GuestRules"]))
        }
    }

    /// Everything that can be refused of this command is refused. One reason after the other is taken away, in the order of the list.
    @Test func `refuse an addition to the queue for the first reason there is`() async throws {
        try await onLoop {
            let world = try await StepWorld()
            defer { world.close() }
            let add = Commands.QueueAdd([world.hidden.uri])
            var sender = world.guest

            #expect(try await world.reason(of: add, by: sender) == "You were sent out of this room. You may come in again in 5 minutes.")
            world.letIn()
            #expect(try await world.reason(of: add, by: sender)?.contains("may have 0 entries") == true)
            sender = world.remote
            #expect(try await world.reason(of: add, by: sender) == "There is no playlist \(world.hidden).")
            try world.share()
            #expect(try await world.reason(of: add, by: sender)?.contains("This room is controlled by users") == true)
            #expect(!world.isPressed && world.live.room.queue.isEmpty)
            try await world.freeRoom()
            #expect(try await world.reason(of: add, by: sender) == nil)
            #expect(world.isPressed)
        }
    }

    @Test func `note a person who begins to play, unless that is refused, and before another room decides`() async throws {
        try await onLoop {
            let world = try await StepWorld()
            defer { world.close() }
            world.letIn()
            try await world.join()
            let move = Commands.RoomMove(RoomID("kitchen"))

            #expect(try await world.reason(of: move, by: world.remote)?.contains("This room is controlled by users") == true)
            #expect(world.listener == .home && !world.isPressed)
            try await world.freeRoom()
            #expect(try await world.reason(of: move, by: world.remote)?.contains("plays along with") == true)
            #expect(world.listener == world.remote.person && world.isPressed)
        }
    }
}

/// A room that plays without end, from which two people were sent out, that users alone control, and a list that one user alone sees.
@Loop
private final class StepWorld: HubWorld {
    let sim: SimulatedHub
    let hidden: PlaylistID
    let guest = Identity(client: "guest-1", person: Person("Kim"), role: .guest, trust: .itemsOnly, origin: "10.0.0.7")
    let remote = Identity(client: "remote-1", person: Person("Kim"), role: .remote, trust: .itemsOnly, origin: "10.0.0.7")
    private let store: LibraryStore
    private let folder: String
    private let server: RoomServer
    private let accounts = MemoryAccounts()
    private let owner: TestRemote

    var live: LiveRoom { sim.hub.rooms.first }
    var listener: Person { sim.hub.places.listener(in: live.room.id) }
    /// The room's music without end has heard of a person.
    var isPressed: Bool { sim.hub.endless.planner[live.room.id].map { $0.pressedMs > $0.startedMs } ?? false }

    init() async throws {
        folder = FileManager.default.temporaryDirectory.path + "/baton-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        store = try LibraryStore(folder: folder)
        let time = VirtualTime()
        var limits = WireLimits.standard
        limits.guestEntries = 0
        sim = try SimulatedHub(
            time: time, limits: limits,
            library: LibraryParts(userMarks: store, persons: store, places: MemoryPlaces(), connectors: [MemorySource()]))
        hidden = try #require(
            try store.createPlaylist("Mine", [], rule: nil, access: PlaylistAccess(owner: Person("@anna")), once: nil, atMs: 1).id)
        owner = try sim.remote(id: "owner-1")
        server = RoomServer(nowUs: { Loop.assumeIsolated { time.nowUs } })
        try accounts.store(SourceAccount(name: "attic", title: "The attic", kind: "memory", url: "https://music.example.org"))
        try accounts.vault.store(SourceSecrets(user: "anna", password: "open sesame"), of: "attic")
        let server = server
        await sim.hub.open(.inMemory(accounts) { _, _ in server })
        _ = await until { self.sim.hub.sources.latencyMs(of: "attic") != nil }
        _ = try await send(owner, Commands.RoomCreate("Kitchen"), key: "kitchen-1")
        forgetPresses()
        _ = try await sim.hub.users?.control(live.room.id, .users, name: nil, isOff: false)
        _ = try change { room, now in room.sendOut(self.remote.voter, minutes: 5, at: now) }
    }

    func close() {
        sim.kill()
        store.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Why the steps refuse the command; `nil` where it comes to its handler.
    func reason(of command: some CommandRequest, by identity: Identity) async throws -> String? {
        let context = CommandContext(identity, .alone(meter: identity.origin), number: 1)
        do throws(ProtocolFault) {
            guard case .working = try sim.hub.commands.table.handle(command, AcceptedCommand(context: context, live: live, key: nil)) else {
                return "It was answered."
            }
            return nil
        } catch {
            return error.sentence
        }
    }

    /// They may come in again.
    func letIn() { sim.time.pass(.seconds(301)) }

    func share() throws { _ = try store.setAccess(nil, of: hidden) }

    func freeRoom() async throws { _ = try await sim.hub.users?.control(live.room.id, .all, name: nil, isOff: false) }

    func join() async throws {
        let track = server.track(1)
        let state = ServerRoomState(
            room: "main", name: "Main", track: track, positionMs: 0, isPaused: false, index: 0, mode: .repeatAll, queue: .init([track]),
            hubs: server.hubs)
        server.say(.state(state, atUs: sim.time.nowUs))
        #expect(try await send(owner, Commands.RoomJoin("attic"), key: "join-1").reply.isSuccess)
        forgetPresses()
    }

    private func forgetPresses() {
        let plan = EndlessPlan(run: "run", EndlessPlan.Wish(prompt: "rain"), author: nil, atMs: sim.hub.clock.wallMs())
        sim.hub.endless.begin(plan, in: live.room.id)
        sim.time.pass(.seconds(1))
    }

    private func change(_ decide: (inout Room, Moment) -> BatonCore.Outcome) throws -> Answer {
        try sim.hub.changes.change(live, for: 1) { room, _, now in decide(&room, now) }
    }
}
