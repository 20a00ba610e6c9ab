/// A hub that crashed at its last starts: when that counts, what waits then, and how it goes on.
import BatonCore
import BatonProtocol
import BatonSeams
import Harness
import Synchronization
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import BatonLibrary

@Suite struct WorkHoldTests {
    private static func crash(_ afterMs: Milliseconds, _ signal: String = "SIGSEGV") -> String { "\(signal) \(afterMs) 1764345600000\n" }

    private static let twice = "SIGSEGV 10 1764345600000\nSIGTRAP 60000 1764345600000\n"
    private static let records: [(lines: String, count: Int)] = [
        // One crash is none; two in a row hold.
        ("", 0), ("SIGSEGV 10 17\n", 1), (twice, 2), ("SIGBUS 1 17\nSIGILL 2 17\nSIGABRT 3 17\n", 3),
        // A start that lasted longer than a minute was no part of a loop.
        ("SIGSEGV 10 17\nSIGSEGV 60001 17\n", 0), ("SIGSEGV 10 17\nSIGSEGV 60001 17\nSIGSEGV 10 17\n", 1),
        // Neither half a line nor noise counts or hides what does.
        ("SIGSEGV 10 17\nSIGSEGV 12", 1), ("SIGSEGV 10 17\nSIGSEGV 12 17", 1), ("\u{0}\u{fffd}\nSIGSEGV 10 17\n \nSIGSEGV 5 17\n", 2),
        ("SIGKILL 5 5\nSIGTERM 5 5\nSIGSEGV -5 5\nSIGSEGV 99999999999999999999 5\n", 0),
    ]

    @Test(arguments: records)
    func `crashes count that came within a minute of starts in a row`(lines: String, count: Int) {
        let record = CrashRecord(lines)

        #expect(record.crashes.count == count)
        #expect(record.holdsWork == (count >= 2))
        #expect((record.sentence?.utf8.count ?? 0) <= 160, "It is shown whole.")
    }

    private final class Notes: CrashNoting {
        let state: Mutex<String>

        init(_ lines: String) { state = Mutex(lines) }

        var lines: String { state.withLock(\.self) }
        func forget() { state.withLock { $0 = "" } }
        func countFromNow() { state.withLock { $0 += "from now" } }
    }

    @Loop
    private struct World: HubWorld {
        let notes: Notes
        let server = SimulatedAlbums()
        let kept = MemoryKept()
        let sim: SimulatedHub

        init(_ lines: String) async throws {
            notes = Notes(lines)
            sim = try SimulatedHub(library: LibraryParts(userMarks: MemoryUserMarks(), connectors: [server]), crashes: notes)
            await sim.hub.keep(kept, limit: 1 << 20)
        }
    }

    /// BT-HLD-001
    @Test func `work is held until an admin lets it go on, and commands are carried out`() async throws {
        try await onLoop {
            let world = try await World(Self.crash(10) + Self.crash(20, "SIGILL"))
            let admin = try world.sim.remote()
            let remote = try world.sim.remote(id: "client-2", over: .loopback)
            let begun = Mutex(0)
            world.sim.hub.hold.whenOver { begun.withLock { $0 += 1 } }

            #expect(admin.mirror.hub?.held == HubSection.Held(crashes: 2, signal: "SIGILL", atMs: 1_764_345_600_000))
            #expect(admin.mirror.hub?.problems.first?.message.contains("baton hub resume") == true)
            #expect(try await world.send(remote, Commands.KeepSet(.item(world.server.album(1)), true)).reply.outcome == .applied())
            #expect(try await world.send(remote, Commands.Resume()).reply.isSuccess == false)
            world.sim.time.pass(.seconds(1_000))
            #expect(await world.until(within: 5) { world.kept.change { $0.fetched } > 0 } == false)
            #expect(begun.withLock(\.self) == 0 && remote.mirror.keeping?.tracks == 5)

            #expect(try await world.send(admin, Commands.Resume()).reply.outcome == .applied())
            #expect(begun.withLock(\.self) == 1 && world.notes.lines == "from now")
            #expect(await world.until { remote.mirror.keeping?.whole == 5 })
            #expect(admin.mirror.hub?.held == nil && admin.mirror.hub?.problems.isEmpty == true)
            #expect(try await world.send(admin, Commands.Resume()).reply.outcome == .noop(why: .same))
        }
    }

    @Test func `crashes are forgotten once a start has lasted a minute, or has ended as it was told to`() async throws {
        try await onLoop {
            let lasting = try await World(Self.crash(10))
            lasting.sim.time.pass(.milliseconds(59_999))
            #expect(lasting.notes.lines == Self.crash(10))
            lasting.sim.time.pass(.milliseconds(2))
            #expect(lasting.notes.lines.isEmpty)

            let short = try await World(Self.crash(10))
            await short.sim.hub.close()
            #expect(short.notes.lines.isEmpty)
        }
    }

    @Test func `held work stays held at the next start, however long the hub was there and however it ended`() async throws {
        try await onLoop {
            let lines = Self.crash(10) + Self.crash(20)
            let world = try await World(lines)
            world.sim.time.pass(.seconds(120))
            await world.sim.hub.close()

            #expect(world.notes.lines == lines)
        }
    }
}
