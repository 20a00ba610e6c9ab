import BatonProtocol
import BatonSeams
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import Companion

/// Pairing at the hub, with every way in which it must come to nothing. BT-PAIR-004 BT-PAIR-005
/// BT-PAIR-006 BT-PAIR-007 BT-PAIR-008 BT-PAIR-009 BT-ERR-pin_wrong BT-ERR-pairing_closed
@Suite struct `A device is paired` {
    @Test func `by six digits, and then steers with the window's role`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let window = try sim.openWindow()
            let device = try PairedDevice(at: sim)
            #expect(device.challenge.methods == [.device, .pin, .qr] && device.challenge.binding == .exp)

            try device.pair(window.pin)
            #expect(device.authenticate())

            #expect(device.welcome?.role == .remote)
            #expect(device.remote.mirror.volume?.level == 30)
            let id = device.remote.send(Commands.VolumeSet(40))
            #expect(device.remote.reply(id)?.reply.isSuccess == true)
            #expect(sim.hub.deviceRegistry?.window == nil, "the window has served its purpose")
        }
    }

    /// BT-SEC-017
    @Test func `in a window that all who see the hub are told of, without its code`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let watcher = try sim.remote(id: "wall-1", over: .loopback)
            let remote = try sim.remote(.remote, id: "small-1")
            let window = try sim.openWindow(Commands.PairOpen(ttlMs: 60_000))
            let untilUs = sim.time.nowUs + 60_000_000
            sim.time.pass(.milliseconds(100))
            #expect(watcher.mirror.hub?.pairing?.untilUs == untilUs)
            #expect(!watcher.frames.contains { $0.contains(window.pin) } && !remote.frames.contains { $0.contains("pairing") })

            let device = try PairedDevice(at: sim)
            try device.pair(window.pin)
            sim.time.settle()
            sim.time.pass(.seconds(1))
            #expect(watcher.mirror.hub?.pairing?.untilUs == nil, "it has served its purpose")

            _ = try sim.openWindow(Commands.PairOpen(ttlMs: 10_000))
            sim.time.pass(.seconds(9))
            #expect(watcher.mirror.hub?.pairing?.untilUs != nil)
            watcher.forgetFrames()
            sim.time.pass(.seconds(2))
            #expect(watcher.mirror.hub?.pairing?.untilUs == nil, "its time is over")
            #expect(watcher.frames.count { $0.contains("\"hub\":") } == 1)

            let owner = try sim.remote(id: "owner-1")
            let opened = owner.send(Commands.PairOpen(), key: "open-1")
            #expect(owner.mirror.hub?.pairing?.untilUs != nil && owner.reply(opened)?.reply.revision == owner.mirror.revision)
            owner.send(Commands.PairClose())
            sim.time.pass(.seconds(1))
            #expect(owner.mirror.hub?.pairing?.untilUs == nil && watcher.mirror.hub?.pairing?.untilUs == nil)
            #expect(watcher.gaps + owner.gaps == 0)
        }
    }

    @Test func `five wrong codes close the window for all who see the hub`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let watcher = try sim.remote(id: "wall-1")
            _ = try sim.openWindow()
            for _ in 0..<5 {
                sim.time.pass(.seconds(2))
                #expect(watcher.mirror.hub?.pairing?.untilUs != nil)
                let device = try PairedDevice(at: sim)
                try? device.pair("000000x")
            }
            sim.time.pass(.seconds(1))

            #expect(watcher.mirror.hub?.pairing?.untilUs == nil)
        }
    }

    /// BT-PAIR-006
    @Test func `by the right code after refusals on the same connection, which count nowhere`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let window = try sim.openWindow()
            let device = try PairedDevice(at: sim)
            try? device.pair("000000")
            #expect(device.lastError?.known == .pinWrong)
            try? device.pair("000001")
            #expect(device.lastError?.known == .rateLimited, "one attempt a second")
            sim.time.pass(.seconds(2))
            device.send(
                .begin(
                    .init(
                        name: "Ana phone", want: nil, code: .pin, nonce: [UInt8](repeating: 7, count: 16),
                        ya: [UInt8](repeating: 0, count: 32))))
            #expect(device.lastError?.known == .badRequest, "no share of an honest device")
            sim.time.pass(.seconds(2))
            #expect(sim.hub.deviceRegistry?.window?.attemptsLeft == 4)

            try device.pair(window.pin)

            #expect(device.authenticate())
        }
    }

    @Test func `by the square, and by a client whose TLS has no exporter`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let window = try sim.openWindow(Commands.PairOpen(role: .guest))
            let device = try PairedDevice(at: sim, bindsToExporter: false)
            #expect(device.challenge.binding == .spki)

            try device.pair("", by: .qr, bytes: window.token)

            #expect(device.authenticate())
            #expect(device.welcome?.role == .guest)
        }
    }

    @Test func `and comes back after a restart of the hub, at which both prove their key`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let first = try sim.pairedDevice()
            first.remote.drop()
            try sim.restart()

            let again = try PairedDevice(at: sim, as: first)

            #expect(again.challenge.methods == [.device])
            #expect(again.authenticate())
        }
    }

    @Test func `a role that is asked for can only be less than the window's`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let window = try sim.openWindow(Commands.PairOpen(role: .guest))
            let device = try PairedDevice(at: sim)

            try device.pair(window.pin, want: .admin)
            device.authenticate()

            #expect(device.welcome?.role == .guest)
        }
    }

    @Test func `before that it may say hello and nothing else`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            for message in [Commands.Pause().frameText(), #"{"t":"sub","id":1}"#, #"{"t":"time","t1":1}"#, #"{"t":"sync"}"#] {
                let device = try PairedDevice(at: sim)
                device.remote.sendText(message)
                #expect(device.remote.closed?.code == 4400, "\(message)")
                #expect(device.remote.messages.count == 1, "only the challenge was told")
            }
        }
    }
}

@Suite struct `Pairing comes to nothing` {
    @Test func `with a wrong code five times: the window is over and another one is needed`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let window = try sim.openWindow()
            let wrong = window.pin == "000000" ? "000001" : "000000"
            let device = try PairedDevice(at: sim)

            for attempt in 1...5 {
                try device.pair(wrong)
                #expect(device.lastError?.code == "pin_wrong", "attempt \(attempt)")
                sim.time.pass(.seconds(1))
            }
            try device.pair(window.pin)

            #expect(device.lastError?.code == "pairing_closed")
            #expect(device.id == nil)
        }
    }

    @Test func `after twenty wrong codes, until somebody acts at the hub's own machine`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let admin = try sim.pairedDevice(Commands.PairOpen(role: .admin))
            for round in 0..<4 {
                let id = admin.remote.send(Commands.PairOpen(), key: "open-\(round)")
                #expect(admin.remote.reply(id)?.reply.isSuccess == true)
                let device = try PairedDevice(at: sim, client: "stranger")
                for _ in 0..<5 {
                    sim.time.pass(.seconds(1))
                    try device.pair("12345x")
                }
                device.remote.drop()
            }
            let id = admin.remote.send(Commands.PairOpen(), key: "open-5")
            #expect(admin.remote.reply(id)?.reply.outcome.error?.known == .forbidden)
            try sim.restart()
            #expect(sim.hub.deviceRegistry?.isLocked == true, "a restart does not forget")

            let window = try sim.openWindow()
            let device = try PairedDevice(at: sim, client: "friend")
            try device.pair(window.pin)

            #expect(device.authenticate())
        }
    }

    @Test func `when the line is dropped after the hub's share, which counts as an attempt`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            _ = try sim.openWindow()
            for _ in 0..<5 {
                let device = try PairedDevice(at: sim)
                _ = device.begin("000000")
                #expect(device.remote.messages.contains { if case .pair(.share) = $0 { true } else { false } })
                device.remote.drop()
                sim.time.pass(.seconds(1))
            }

            let device = try PairedDevice(at: sim)
            _ = device.begin("000000")

            #expect(device.lastError?.code == "pairing_closed")
        }
    }

    @Test func `while another device is at it`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let window = try sim.openWindow()
            let slow = try PairedDevice(at: sim, client: "slow-one")
            _ = slow.begin("000000")
            sim.time.pass(.seconds(2))

            let quick = try PairedDevice(at: sim, client: "quick-one")
            try quick.pair(window.pin)
            #expect(quick.lastError?.code == "busy" && quick.lastError?.retry == true)
            sim.time.pass(.seconds(9))
            try quick.pair(window.pin)

            #expect(quick.authenticate(), "the slow one's turn is over after ten seconds")
        }
    }

    @Test func `when codes are tried faster than one a second`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let window = try sim.openWindow()
            let device = try PairedDevice(at: sim)
            try device.pair("000000")
            try device.pair(window.pin)

            #expect(device.lastError?.code == "rate_limited" && (1...1001).contains(device.lastError?.afterMs ?? 0))
        }
    }

    @Test func `when somebody relays it from one connection to another`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let window = try sim.openWindow()
            let device = try PairedDevice(at: sim)
            // The victim's TLS ends at the attacker, so what it binds to is not what the hub binds to.
            device.exporter = device.openSSL.random(32)

            try device.pair(window.pin)

            #expect(device.lastError?.code == "pin_wrong" && device.id == nil)
        }
    }

    @Test func `with a share of low order, and with the hub's own sent back to it`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            _ = try sim.openWindow()
            let device = try PairedDevice(at: sim)
            device.send(.begin(.init(name: "Eve", nonce: device.openSSL.random(16), ya: [UInt8](repeating: 0, count: 32))))

            #expect(device.lastError?.code == "bad_request" && device.lastError?.at == "/ya")
            #expect(device.lastError?.message.isEmpty == false)
            #expect(sim.hub.deviceRegistry?.window?.attemptsLeft == 5, "nothing was given away")

            // The hub's share of one attempt comes back in the next, with a proof that fits on neither side.
            sim.time.pass(.seconds(2))
            _ = device.begin("000000")
            guard case .pair(.share(let yb))? = device.remote.messages.last else { throw Missing() }
            sim.time.pass(.seconds(2))
            device.send(.begin(.init(name: "Eve", nonce: device.openSSL.random(16), ya: yb)))
            device.send(.prove(ta: [UInt8](repeating: 0, count: 64)))
            #expect(device.lastError?.code == "pin_wrong" && device.id == nil)
            #expect(sim.hub.deviceRegistry?.window?.attemptsLeft == 3)
        }
    }

    private struct Missing: Error {}

    @Test func `when the window's time has passed, or it was closed, or there never was one`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            var device = try PairedDevice(at: sim)
            try device.pair("000000")
            #expect(device.lastError?.code == "pairing_closed")
            device.remote.drop()

            let window = try sim.openWindow(Commands.PairOpen(ttlMs: 10_000))
            sim.time.pass(.seconds(11))
            device = try PairedDevice(at: sim)
            try device.pair(window.pin)
            #expect(device.lastError?.code == "pairing_closed")
        }
    }

    @Test func `when the keyStore cannot be written: nobody is half paired`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let window = try sim.openWindow()
            sim.keyStore.isFull = true
            let device = try PairedDevice(at: sim)

            try device.pair(window.pin)

            #expect(device.lastError?.code == "unavailable" && device.id == nil)
        }
    }

    /// BT-PAIR-015
    @Test func `180 seconds after the first attempt of a connection, whatever follows`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            _ = try sim.openWindow(Commands.PairOpen(ttlMs: 300_000))
            let device = try PairedDevice(at: sim)
            _ = device.begin("000000")
            sim.time.pass(.seconds(100))
            #expect(device.remote.closed == nil)
            try device.pair("00000x")
            #expect(device.lastError?.known == .pinWrong)

            sim.time.pass(.seconds(77))
            #expect(device.remote.closed == nil)
            sim.time.pass(.seconds(8))

            #expect(device.remote.closed?.code == 4408)
        }
    }

    /// BT-HS-001
    @Test func `with a second hello after the challenge`() async throws {
        try await onLoop {
            let device = try PairedDevice(at: SimulatedHub())

            device.remote.send(device.hello)

            #expect(device.remote.closed?.code == 4400 && device.remote.messages.count == 1)
        }
    }

    @Test func `whoever is slow to say who they are is closed`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let device = try PairedDevice(at: sim)
            sim.time.pass(.seconds(9))
            #expect(device.remote.closed == nil)
            sim.time.pass(.seconds(3))

            #expect(device.remote.closed?.code == 4408)
        }
    }
}
