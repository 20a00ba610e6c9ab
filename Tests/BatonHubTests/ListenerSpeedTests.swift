import BatonCore
import BatonProtocol
import BatonSeams
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import Companion

/// BT-BOK-004: the speed of speech is that of the person who pressed play.
@Suite struct `Speeds of people` {
    private static let anna = Person("Anna")

    /// Presses play as another person, as a device of theirs would.
    @Loop
    private static func listen(_ person: Person, _ world: PlaceWorld) async throws {
        world.sim.hub.places.pressed(.play, by: person, in: world.sim.hub.rooms.first)
        await world.sim.settle()
    }

    @Loop
    private static func speed(_ world: PlaceWorld) -> Int { world.sim.hub.rooms.first.room.modes.speed }

    @Test func `hold in a book for each of two, and outlive a kill of the hub and of what the room kept`() async throws {
        try await onLoop {
            let world = try PlaceWorld()
            try await world.play()
            _ = try await world.send(Commands.ModeSet(speed: 1500))
            try await Self.listen(Self.anna, world)
            #expect(Self.speed(world) == 1000, "she has set none")
            _ = try await world.send(Commands.ModeSet(speed: 800))
            #expect(Self.speed(world) == 800)
            try await Self.listen(.home, world)
            #expect(Self.speed(world) == 1500)
            try await until(world.sim) { (try? world.places.spokenSpeeds().count) == 2 }

            try world.restart()
            // By the remote of the tests, which has no person of its own.
            _ = try await world.send(Commands.Play())
            try await world.speaks()
            try await Self.listen(Self.anna, world)
            try await until(world.sim) { Self.speed(world) == 800 }
            try await Self.listen(.home, world)
            try await until(world.sim) { Self.speed(world) == 1500 }
        }
    }

    @Test func `are kept once the disk works again`() async throws {
        try await onLoop {
            let world = try PlaceWorld()
            try await world.play()
            await world.sim.settle()
            world.places.fail(with: SourceFault(.unavailable, "The disk does not answer."))
            _ = try await world.send(Commands.ModeSet(speed: 1500))
            await world.sim.settle()
            #expect(Self.speed(world) == 1500)
            world.places.fail(with: nil)
            _ = try await world.send(Commands.ModeSet(speed: 1600))
            try await until(world.sim) { (try? world.places.spokenSpeeds()[.home]?.last) == 1600 }
        }
    }
}
