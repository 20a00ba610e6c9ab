import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import Companion

/// What becomes of a device after it was paired. BT-HS-010 BT-HS-012 BT-HS-013 BT-HS-014 BT-PAIR-010
/// BT-PAIR-011 BT-PAIR-012 BT-CLS-4401 BT-CLS-4403 BT-ERR-unauthorized BT-ERR-revoked
@Suite struct `A paired device` {
    @Test func `that is sent away is gone at once, is told so, and stays away`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let device = try sim.pairedDevice()
            let owner = try sim.remote(id: "owner-9")
            let id = try #require(device.id)

            let command = owner.send(Commands.DeviceRevoke(id))

            #expect(owner.reply(command)?.reply.isSuccess == true)
            #expect(device.remote.closed?.code == 4403)
            #expect(device.lastError?.code == "revoked")
            for _ in 0..<2 {
                let again = try PairedDevice(at: sim, as: device)
                again.authenticate()
                #expect(again.remote.closed?.code == 4403 && again.lastError?.code == "revoked")
                try sim.restart()
            }
        }
    }

    @Test func `with a wrong proof is closed with 4401, whatever is wrong about it`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let device = try sim.pairedDevice()

            let forged = try PairedDevice(at: sim, as: device)
            forged.authenticate { mac in [mac[0] ^ 1] + mac.dropFirst() }
            #expect(forged.remote.closed?.code == 4401 && forged.lastError?.code == "unauthorized")
            let stranger = try PairedDevice(at: sim)
            stranger.id = DeviceID("d_nobody")
            stranger.key = device.key
            stranger.authenticate()
            #expect(stranger.remote.closed?.code == 4401)
            let moved = try PairedDevice(at: sim, as: device)
            moved.exporter = moved.openSSL.random(32)
            moved.authenticate()
            #expect(moved.remote.closed?.code == 4401, "a proof for another connection")
        }
    }

    @Test func `cannot be posed as with an answer that was heard before`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let device = try sim.pairedDevice()
            var heard = ""
            let first = try PairedDevice(at: sim, as: device)
            let nonce = first.openSSL.random(16)
            let proof = DeviceProof(
                binding: first.binding, hello: first.hello, challenge: Array(first.remote.frames[0].utf8), nonce: nonce, first.openSSL)
            let message = Authentication(device: try #require(first.id), nonce: nonce, mac: proof.mac(of: .client, key: first.key))
            heard = String(decoding: JSONWriter.bytes(message.encode), as: UTF8.self)
            first.remote.sendText(heard)
            #expect(first.welcome != nil)

            let replayed = try PairedDevice(at: sim, as: device)
            replayed.remote.sendText(heard)

            #expect(replayed.remote.closed?.code == 4401 && replayed.welcome == nil)
        }
    }

    @Test func `that was let in for a time goes when it is over, and is told why`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let guest = try sim.pairedDevice(Commands.PairOpen(role: .guest, forMs: 3_600_000))
            #expect(guest.welcome?.role == .guest)

            sim.time.pass(.seconds(3_602))

            #expect(guest.remote.closed?.code == 4403 && guest.lastError?.code == "revoked")
            let again = try PairedDevice(at: sim, as: guest)
            again.authenticate()
            #expect(again.lastError?.code == "revoked" && again.remote.closed?.code == 4403)
        }
    }

    @Test func `that changes its key may use the old one until it has used the new one`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let device = try sim.pairedDevice()
            let old = device.key
            let id = device.remote.send(Commands.DeviceRotate(), key: "rotate-1")
            let data = try #require(device.remote.reply(id)?.data)
            let openSSL = device.openSSL
            let salt = try #require(data["salt"]?.string.flatMap(Base64URL.bytes))
            let wrapped = try #require(data["wk"]?.string.flatMap(Base64URL.bytes))
            let wrapping = openSSL.hkdfSHA256(old, salt: salt, info: Array("baton-rotate".utf8), count: 32)
            let fresh = try #require(openSSL.open(wrapped, key: wrapping, nonce: [UInt8](repeating: 0, count: 12)))

            let stillOld = try PairedDevice(at: sim, as: device)
            #expect(stillOld.authenticate(), "the answer may have been lost")
            device.key = fresh
            let new = try PairedDevice(at: sim, as: device)
            #expect(new.authenticate())
            device.key = old
            let tooLate = try PairedDevice(at: sim, as: device)
            tooLate.authenticate()

            #expect(tooLate.remote.closed?.code == 4401)
        }
    }

    @Test func `has a role and a name that the owner changes, and at most four connections`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let device = try sim.pairedDevice()
            let owner = try sim.remote(id: "owner-9")
            let dev = try #require(device.id)
            owner.send(Commands.DeviceRename(dev, name: "Ana"))
            owner.send(Commands.DeviceRole(dev, role: .guest, span: 10...40))
            #expect(device.remote.closed?.code == 1012, "it comes back to learn its new role")
            sim.time.pass(.seconds(1))

            let again = try PairedDevice(at: sim, as: device)
            #expect(again.authenticate() && again.welcome?.role == .guest)
            let loud = again.remote.send(Commands.VolumeSet(41))
            #expect(again.remote.reply(loud)?.reply.outcome.error?.known == .forbidden)
            let step = again.remote.send(Commands.VolumeStep(20), key: "abcd")
            #expect(again.remote.reply(step)?.reply.outcome.error?.known == .forbidden)
            let fine = again.remote.send(Commands.VolumeSet(40))
            #expect(again.remote.reply(fine)?.reply.isSuccess == true)
            let pause = again.remote.send(Commands.Pause())
            #expect(again.remote.reply(pause)?.reply.outcome.error?.known == .forbidden)

            let list = owner.send(Commands.Devices())
            let listed = owner.reply(list)?.data?["list"]?.array?.first
            #expect(listed?["name"]?.string == "Ana" && listed?["open"]?.int == 1 && listed?["role"]?.string == "guest")
            let more = try (0..<3).map { _ in try PairedDevice(at: sim, as: device) }
            for one in more { #expect(one.authenticate()) }
            let fifth = try PairedDevice(at: sim, as: device)
            fifth.authenticate()
            #expect(fifth.remote.closed?.code == 1013)
        }
    }

    @Test func `belongs to the person whom the owner names, whatever it calls itself`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let device = try sim.pairedDevice()
            let owner = try sim.remote(id: "owner-9")
            let dev = try #require(device.id)
            let set = owner.send(Commands.DevicePerson(dev, person: Person("Ana")))
            #expect(owner.reply(set)?.reply.outcome == .applied() && device.remote.closed?.code == 1012)
            let again = owner.send(Commands.DevicePerson(dev, person: Person("Ana")))
            #expect(owner.reply(again)?.reply.outcome == .noop(why: .same))

            let list = owner.send(Commands.Devices())
            let listed = owner.reply(list)?.data?["list"]?.array?.first
            #expect(listed?["person"]?.string == "Ana")
            #expect(String(decoding: sim.keyStore.kept ?? [], as: UTF8.self).contains(#""person":"Ana""#))
            let unknown = owner.send(Commands.DevicePerson(DeviceID("d_none"), person: Person("Ana")))
            #expect(owner.reply(unknown)?.reply.outcome.error?.known == .notFound)
        }
    }

    @Test func `keeps its key out of everything that is said and logged`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let device = try sim.pairedDevice()
            let owner = try sim.remote(id: "owner-9")
            owner.send(Commands.Devices())
            owner.send(Commands.Info())
            let key = Base64URL.text(device.key)

            let said = (owner.frames + device.remote.frames).joined()

            #expect(!said.contains(key))
            #expect(String(decoding: sim.keyStore.kept ?? [], as: UTF8.self).contains(key), "it is in the vault and nowhere else")
        }
    }

    private static let aboutOthers: [any WireCommand] = [
        Commands.PairOpen(role: .guest), Commands.PairClose(), Commands.Devices(), Commands.DeviceRevoke(DeviceID("d_x")),
        Commands.DeviceRename(DeviceID("d_x"), name: "x"), Commands.DevicePerson(DeviceID("d_x"), person: Person("x")),
        Commands.DeviceRole(DeviceID("d_x"), role: .guest), Commands.NewTicket(),
    ]

    @Test(arguments: aboutOthers)
    func `that is no admin may not decide about others`(command: any WireCommand) async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let device = try sim.pairedDevice()

            let id = device.remote.send(command)

            #expect(device.remote.reply(id)?.reply.outcome.error?.known == .forbidden)
        }
    }
}

/// The one-time link of `baton web`.
@Suite struct `A link for the hub's own machine` {
    private func hello(_ client: String, _ ticket: String) -> String {
        #"{"t":"hello","core":"1.0","view":"watch","client":{"id":"\#(client)"},"ticket":"\#(ticket)"}"#
    }

    @Loop
    private func ticket(of sim: SimulatedHub) throws -> String {
        let owner = try sim.remote(id: "owner-\(sim.time.nowUs)")
        let id = owner.send(Commands.NewTicket(), key: "ticket-1")
        owner.drop()
        return try #require(owner.reply(id)?.data?["ticket"]?.string)
    }

    @Test func `makes one browser admin, also when it comes back, and no other`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let ticket = try ticket(of: sim)
            for client in ["page-1", "page-1"] {
                let page = try sim.connect(over: .loopback)
                page.sendText(hello(client, ticket))
                #expect(page.frames.first?.contains(#""role":"admin""#) == true)
            }
            let other = try sim.connect(over: .loopback)
            other.sendText(hello("page-2", ticket))

            #expect(other.frames.first?.contains(#""role":"remote""#) == true)
            #expect(other.frames.contains { $0.contains("forbidden") && $0.contains("/ticket") })
        }
    }

    @Test func `is good for two minutes, and on this machine only`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let ticket = try ticket(of: sim)
            sim.time.pass(.seconds(121))
            let late = try sim.connect(over: .loopback)
            late.sendText(hello("page-1", ticket))
            #expect(late.frames.first?.contains(#""role":"remote""#) == true)

            let device = try sim.pairedDevice(Commands.PairOpen(role: .admin))
            let id = device.remote.send(Commands.NewTicket(), key: "ticket-1")
            #expect(device.remote.reply(id)?.reply.outcome.error?.known == .forbidden)
        }
    }

    @Test func `of a hub without an admin makes one browser admin within half an hour, and none once there is an admin`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            @Loop func role(_ client: String, _ ticket: String) throws -> String? {
                let page = try sim.connect(over: .loopback)
                page.sendText(hello(client, ticket))
                return ["admin", "remote"].first { page.frames.first?.contains("\"role\":\"\($0)\"") == true }
            }
            let (used, late) = (try #require(sim.hub.firstTicket()), try #require(sim.hub.firstTicket()))
            sim.time.pass(.seconds(1_799))
            #expect(try role("page-1", used) == "admin")
            sim.time.pass(.seconds(2))
            #expect(try role("page-2", used) == "remote")
            #expect(try role("page-2", late) == "remote")

            let left = try #require(sim.hub.firstTicket())
            _ = try sim.pairedDevice(Commands.PairOpen(role: .admin))
            #expect(try role("page-2", left) == "remote")
            #expect(try role("page-1", used) == "admin", "It stays what it is.")
            #expect(sim.hub.firstTicket() == nil)
        }
    }

    @Test func `is void once a user is an admin`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let ticket = try #require(sim.hub.firstTicket())
            let owner = try sim.remote(id: "owner-1")
            let added = owner.send(Commands.UserAdd("Mia", password: "a long password", role: .admin))
            #expect(await sim.time.until(within: .seconds(2)) { owner.reply(added)?.reply.isSuccess == true })
            // The tickets learn of it on the loop's next turn.
            await sim.time.passQuietly(.milliseconds(1))
            #expect(sim.hub.firstTicket() == nil)
            let page = try sim.connect(over: .loopback)
            page.sendText(hello("page-1", ticket))

            #expect(page.frames.first?.contains(#""role":"remote""#) == true)
        }
    }
}
