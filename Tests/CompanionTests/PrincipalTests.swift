import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import Companion

/// Who a command is from, and what belongs to each such principal. BT-PRN-001 BT-PRN-002 BT-PRN-004 BT-RTY-011 BT-RTY-012
@Suite struct `What belongs to a principal` {
    @Loop
    private func hubWithMusic() async throws -> (sim: SimulatedHub, owner: TestRemote) {
        let sim = try SimulatedHub()
        let owner = try sim.remote(id: "owner-1")
        _ = await owner.awaitReply(owner.send(Commands.Play(ItemURI("file:track/album:9")), key: "play-it"))
        return (sim, owner)
    }

    @Loop
    private func step(_ remote: TestRemote, key: String) -> Reply.Outcome? {
        remote.reply(remote.send(Commands.VolumeStep(1), key: key))?.reply.outcome
    }

    @Test func `two programs of one paired device have each its own keys`() async throws {
        try await onLoop {
            let (sim, owner) = try await hubWithMusic()
            let first = try sim.pairedDevice(client: "phone-1")
            let second = try PairedDevice(at: sim, client: "phone-2", as: first)
            #expect(second.authenticate())
            let level = try #require(owner.mirror.volume?.level)

            #expect(step(first.remote, key: "same-key") == .applied())
            #expect(step(second.remote, key: "same-key") == .applied())
            #expect(step(first.remote, key: "same-key") == .applied(why: .dup))

            sim.time.pass(.seconds(1))
            #expect(owner.mirror.volume?.level == level + 2)
        }
    }

    @Test func `another device that knows an id and a run ends no connection`() async throws {
        try await onLoop {
            let (sim, _) = try await hubWithMusic()
            let first = try sim.pairedDevice(client: "phone-1")
            let window = try sim.openWindow()
            sim.time.pass(.seconds(2))
            let other = try PairedDevice(at: sim, client: "phone-1", run: first.run)
            try other.pair(window.pin)
            #expect(other.authenticate())

            #expect(first.remote.closed == nil && other.remote.closed == nil)

            let again = try PairedDevice(at: sim, client: "phone-1", run: first.run, as: first)
            #expect(again.authenticate())
            #expect(first.remote.closed?.code == 4409 && other.remote.closed == nil)
        }
    }

    @Test func `one id on this machine is one client, whichever way it comes`() async throws {
        try await onLoop {
            let (sim, _) = try await hubWithMusic()
            let unix = try sim.remote(id: "desk-1")
            #expect(step(unix, key: "same-key") == .applied())

            let loopback = try sim.remote(id: "desk-1", over: .loopback)

            #expect(unix.closed?.code == 4409)
            #expect(step(loopback, key: "same-key") == .applied(why: .dup))
        }
    }

    @Test func `a script that names its client shares the keys of that client`() async throws {
        try await onLoop {
            let (sim, _) = try await hubWithMusic()
            let remote = try sim.remote(id: "desk-1", over: .loopback)
            #expect(step(remote, key: "same-key") == .applied())
            let body = Commands.VolumeStep(1).frameText(key: "same-key")

            let known = await ask(sim, "desk-1", body)
            let other = await ask(sim, "desk-2", body)
            let none = await ask(sim, nil, body)
            let bad = await ask(sim, "a b", body)

            #expect(known.body.contains(#""why":"dup""#))
            #expect(other.body.contains(#""st":"applied","rev""#) && none.body.contains(#""st":"applied","rev""#))
            #expect(bad.status == 400 && bad.body.contains("client must be"))
        }
    }

    /// The key table keeps 256.
    @Test func `a volume control that is dragged pushes out no other key`() async throws {
        try await onLoop {
            let (sim, owner) = try await hubWithMusic()
            let next = owner.reply(owner.send(Commands.Next(), key: "the-next"))?.reply.outcome
            #expect(next == .applied())
            for number in 0..<300 {
                _ = owner.send(Commands.VolumeSet(number % 90), key: "set-\(number)")
                _ = owner.send(Commands.VolumeStep(number % 2 == 0 ? 1 : -1), key: "step-\(number)")
                sim.time.pass(.milliseconds(200))
            }

            let again = owner.reply(owner.send(Commands.Next(), key: "the-next"))?.reply.outcome

            #expect(again == .applied(why: .dup))
            #expect(step(owner, key: "step-299") != .applied(), "the last steps are remembered")
        }
    }

    private struct Heard {
        let status: Int
        let body: String
    }

    @Loop
    private func ask(_ sim: SimulatedHub, _ client: String?, _ body: String) async -> Heard {
        let request = HTTPRequest(
            method: .post, path: "/baton/cmd", query: client.map { [("client", $0)] } ?? [], headers: ["host": "127.0.0.1"],
            body: Array(body.utf8), peer: Peer(channel: .loopback, address: "127.0.0.1"))
        let response = await sim.router.respond(to: request)
        return Heard(status: response.status, body: String(decoding: response.body, as: UTF8.self))
    }
}
