/// Taps on *next* that are quicker than their answers, with the hub that ships behind them.
import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import Companion

/// A person with a slow link: what they tap reaches the hub when `deliver` is called, and what the hub
/// says reaches them when `hear` is.
@Loop
private final class Person {
    let remote: TestRemote
    private var taps = QuickNext()
    private var screen: QueueSection?
    private var underWay: [QuickNext.Skip] = []
    private var unheard: [Bool] = []
    private var presses = 0

    init(_ remote: TestRemote) {
        self.remote = remote
        look()
    }

    /// The newest state arrives.
    func look() { screen = remote.mirror.queue }

    func tap(_ times: Int = 1) {
        for _ in 0..<times {
            if let skip = taps.tap(showing: screen, atUs: 0) { underWay.append(skip) }
        }
    }

    func deliver() {
        for skip in underWay {
            presses += 1
            let press = Commands.Next(from: skip.from, count: skip.count)
            let id = remote.send(press, key: "\(ObjectIdentifier(self).hashValue & 0xffff)-\(presses)")
            if case .applied = remote.reply(id)?.reply.outcome { unheard.append(true) } else { unheard.append(false) }
        }
        underWay = []
    }

    func hear() {
        look()
        for applied in unheard {
            if let skip = taps.answered(applied: applied, showing: screen) { underWay.append(skip) }
        }
        unheard = []
    }

    func settle() {
        for _ in 0..<9 {
            deliver()
            hear()
        }
    }
}

@Suite struct `Quick taps on next` {
    @Loop
    private static func withQueue(_ body: @Loop (SimulatedHub) throws -> Void) async throws {
        let sim = try SimulatedHub()
        let remote = try sim.remote(id: "setter-1")
        _ = await remote.awaitReply(remote.send(Commands.Play(ItemURI("/music/album:30")), key: "key-1"))
        try body(sim)
    }

    @Loop
    private static func place(_ sim: SimulatedHub) -> Int? { sim.hub.rooms.first.room.queue.currentIndex }

    @Test(arguments: 1...9) func `skip as many as there were taps`(count: Int) async throws {
        try await onLoop {
            try await Self.withQueue { sim in
                let person = Person(try sim.remote(id: "person-1"))

                person.tap(count)
                person.settle()

                #expect(Self.place(sim) == count)
            }
        }
    }

    /// BT-SEC-007
    @Test(arguments: 1...3) func `skip as many where the track repeats`(count: Int) async throws {
        try await onLoop {
            try await Self.withQueue { sim in
                let person = Person(try sim.remote(id: "person-1"))
                person.remote.send(Commands.ModeSet(repeat: true, single: .on))
                sim.time.pass(.seconds(1))
                person.look()
                #expect(person.remote.mirror.queue?.next == sim.hub.rooms.first.room.queue.entries[1].id)

                person.tap(count)
                person.settle()

                #expect(Self.place(sim) == count)
            }
        }
    }

    @Test func `that are made one command are as old as the first of them`() {
        var taps = QuickNext()
        let screen = QueueSection(revision: 1, length: 9, index: 0, current: EntryID(1), next: EntryID(2))
        for us in 1...4 { _ = taps.tap(showing: screen, atUs: Microseconds(us)) }

        #expect(taps.answered(applied: true, showing: screen) == nil)
        let rest = taps.answered(applied: true, showing: screen)

        #expect(rest?.count == 2 && rest?.tappedUs == 3)
    }

    @Test func `of which some come while earlier answers are on their way`() async throws {
        try await onLoop {
            try await Self.withQueue { sim in
                let person = Person(try sim.remote(id: "person-1"))

                person.tap(3)
                person.deliver()
                person.tap()
                person.hear()
                person.tap(2)
                person.settle()
                #expect(Self.place(sim) == 6)
                person.tap(2)
                person.settle()

                #expect(Self.place(sim) == 8)
            }
        }
    }

    @Test(arguments: [1, 5]) func `on a screen that is no longer true skip nothing`(count: Int) async throws {
        try await onLoop {
            try await Self.withQueue { sim in
                let person = Person(try sim.remote(id: "person-1"))
                let other = try sim.remote(id: "other-1")
                other.send(Commands.Next(count: 7), key: "key-2")

                person.tap(count)
                person.settle()
                #expect(Self.place(sim) == 7)
                person.tap(count)
                person.settle()

                #expect(Self.place(sim) == 7 + count)
            }
        }
    }

    @Test func `of two people on the same track skip one, and of one of them who taps twice, two`() async throws {
        try await onLoop {
            try await Self.withQueue { sim in
                let (one, other) = (Person(try sim.remote(id: "one-1")), Person(try sim.remote(id: "other-1")))

                one.tap()
                other.tap()
                one.settle()
                other.settle()
                #expect(Self.place(sim) == 1)

                one.tap()
                other.tap(2)
                one.settle()
                other.settle()
                #expect(Self.place(sim) == 3)
            }
        }
    }
}
