import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import Configuration
import DesktopBus
import EventLoop
import Glibc

/// The rooms of a hub as players on this desktop: each has a connection to the hub and one to the bus.
@Loop
final class DesktopMirror {
    let bus: SessionBus
    private let satellite: Satellite
    private let call: Invocation
    /// Tells which rooms there are.
    private let hub: ReconnectingHub
    private let pictures: PictureFiles?
    private var shown: Set<RoomID> = []

    init(of hub: ReconnectingHub, _ satellite: Satellite, _ call: Invocation) {
        self.satellite = satellite
        self.call = call
        self.hub = hub
        bus = SessionBus(reactor: satellite.finder.loop, log: satellite.finder.loop.log, environment: call.environment.environment)
        pictures = PictureFiles(environment: call.environment.environment, home: call.environment.home)
    }

    /// Shows this room, or all and those that come later. Returns when a program on the desktop asks for the end.
    func run(_ room: RoomID?) async throws {
        let (ends, end) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in ends { return } }
            group.addTask {
                if let room { try await self.show(room, end) } else { try await self.showRooms(end) }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func showRooms(_ end: AsyncStream<Void>.Continuation) async throws {
        let changes = await hub.changes()
        let first = try await hub.state(withWhole: .rooms)
        try await withThrowingDiscardingTaskGroup { group in
            show(first, end, in: &group)
            for await change in changes {
                if case .hub(.state(let mirror)) = change { show(mirror, end, in: &group) }
            }
            // The changes end when reconnecting has stopped; `live` throws the reason.
            _ = try await hub.live()
        }
    }

    private func show(_ mirror: Mirror, _ end: AsyncStream<Void>.Continuation, in group: inout ThrowingDiscardingTaskGroup<any Error>) {
        for room in mirror.rooms?.rooms ?? [] where shown.insert(room.id).inserted {
            group.addTask { try await self.show(room.id, end) }
        }
    }

    /// Shows one room until it is deleted.
    private func show(_ room: RoomID, _ end: AsyncStream<Void>.Continuation) async throws {
        defer { shown.remove(room) }
        var plan = try satellite.plan(hub.endpoint, call)
        plan.hello.rooms = [room]
        plan.hello.caps = ["art"]
        let parts = MirroredRoom.Parts(
            bus: bus, loop: satellite.finder.loop, endpoint: hub.endpoint,
            storePicture: { [pictures] id, bytes in pictures?.store(id, bytes) }, end: end)
        while !Task.isCancelled {
            do {
                return try await ReconnectingHub.withHub(plan, over: satellite.transport, settings: .background, nowUs: Clock.nowUs) {
                    hub in
                    try await MirroredRoom.mirror(room, of: hub, parts)
                }
            } catch is ConnectFault {
                // The hub may be restarting, and the connection that lists the rooms ends for good reasons.
                try await Task.sleep(for: .seconds(2))
            }
        }
    }
}
