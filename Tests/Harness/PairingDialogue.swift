import BatonProtocol
package import BatonSeams
import BatonWire

/// What devices may do to a hub's pairing: honest and dishonest attempts on several connections, in any order, while
/// the owner opens and closes windows, time passes, lines break and the hub dies. The script is bytes, two a step, so
/// that a fuzzer can write it: what is done, and who does it (three devices) or how much.
///
/// In all cases: no device is let in but by the code of the window that is open, and none is welcomed but by a key
/// that was given and not taken back; a window lets one in and gives five shares, and twenty are given without a right
/// one at most; and a device that knows the code is let in after all of it.
@Loop
package final class PairingDialogue {
    package struct Violation: Error, CustomStringConvertible {
        package let description: String
    }

    /// One device, over all its connections.
    private struct Guest {
        var device: PairedDevice?
        var exchange: PairingDevice?
        /// The window whose code it has typed, unless it did something crooked.
        var typed: Int?
        var hubShare: [UInt8] = []
        var isRevoked = false
        var isGone = false
        /// Kept from its last connection, or heard on that of another device.
        var heard: [UInt8] = []
    }

    private static let mostSteps = 200
    private static let pausesMs = [0, 300, 1_001, 2_000, 9_000, 11_000, 61_000, 301_000]

    private let hub: SimulatedHub
    private var guests = [Guest](repeating: Guest(), count: 3)
    private var window = 0
    private var code = ""
    private var role = Role.listener
    private var shares = 0
    private var sharesWithoutSuccess = 0
    private var lastWon = 0

    private init() throws { hub = try SimulatedHub() }

    /// Throws a `Violation` when the hub breaks a promise.
    package static func play(_ script: [UInt8]) throws {
        let dialogue = try PairingDialogue()
        var rest = script[...].prefix(2 * mostSteps)
        while let act = rest.popFirst(), let whom = rest.popFirst() { try dialogue.take(act, whom) }
        try dialogue.letSomebodyIn()
        dialogue.hub.kill()
    }

    /// In the order of the script's first byte, which wraps around.
    private static let acts: [@Loop (PairingDialogue, _ who: Int, _ byte: UInt8) throws -> Void] = [
        { me, who, _ in try me.connect(who) },
        { me, _, byte in try me.open(byte) },
        { me, who, _ in me.begin(who, knowing: true) },
        { me, who, _ in me.begin(who, knowing: false) },
        { me, who, _ in try me.finish(who, honestly: true) },
        { me, who, _ in try me.finish(who, honestly: false) },
        { me, who, _ in try me.show(who, honestly: true) },
        { me, who, _ in try me.show(who, honestly: false) },
        { me, _, byte in me.pass(byte) },
        { me, who, _ in me.drop(who) },
        { me, who, _ in me.revoke(who) },
        { me, who, byte in me.sendStrangeShare(who, byte) },
        { me, who, _ in me.replay(who) },
        { me, _, _ in me.own(Commands.PairClose()) },
        { me, _, _ in try me.die() },
        { me, who, byte in me.babble(who, byte) },
    ]

    private func take(_ act: UInt8, _ byte: UInt8) throws {
        try Self.acts[Int(act) % Self.acts.count](self, Int(byte) % guests.count, byte)
        try listen(welcoming: nil)
    }

    // MARK: The owner

    private func own(_ command: some WireCommand) {
        guard let owner = try? hub.remote(id: "owner-\(hub.time.nowUs)") else { return }
        owner.send(command)
        owner.drop()
    }

    private func open(_ byte: UInt8) throws {
        role = [Role.listener, .guest, .remote, .admin][Int(byte) % 4]
        code = try hub.openWindow(Commands.PairOpen(role: role)).pin
        window += 1
        (shares, sharesWithoutSuccess) = (0, 0)
    }

    private func revoke(_ who: Int) {
        guard let id = guests[who].device?.id else { return }
        own(Commands.DeviceRevoke(id))
        guests[who].isRevoked = true
    }

    private func pass(_ byte: UInt8) { hub.time.pass(.milliseconds(Self.pausesMs[Int(byte) % Self.pausesMs.count])) }

    private func die() throws {
        try hub.restart()
        // A window does not outlive its hub, and neither does a connection.
        window += 1
        for who in guests.indices { leave(who) }
    }

    // MARK: The devices

    private func connect(_ who: Int) throws {
        drop(who)
        let before = guests[who].device
        guests[who].device = try PairedDevice(at: hub, client: "guest-\(who)", as: before)
        guests[who].isGone = false
    }

    private func leave(_ who: Int) {
        if let shown = guests[who].device?.shown, !shown.isEmpty { guests[who].heard = shown }
        (guests[who].exchange, guests[who].typed, guests[who].isGone) = (nil, nil, true)
    }

    private func drop(_ who: Int) {
        line(who)?.remote.drop()
        leave(who)
    }

    /// While its connection stands.
    private func line(_ who: Int) -> PairedDevice? {
        guard let device = guests[who].device, !guests[who].isGone, device.remote.closed == nil, device.challenge != nil else { return nil }
        return device
    }

    private func begin(_ who: Int, knowing: Bool) {
        guard let device = line(who) else { return }
        let typed = knowing && !code.isEmpty ? code : code == "000000" ? "000001" : "000000"
        guests[who].typed = typed == code ? window : nil
        guests[who].hubShare = []
        guests[who].exchange = device.begin(typed)
    }

    private func sendStrangeShare(_ who: Int, _ byte: UInt8) {
        guard let device = line(who) else { return }
        // All zero, the hub's own of an earlier attempt, or too short.
        let share = [[UInt8](repeating: 0, count: 32), guests[who].hubShare, [1, 2, 3]][Int(byte / 3) % 3]
        (guests[who].exchange, guests[who].typed) = (nil, nil)
        device.send(.begin(.init(name: "Eve", nonce: device.openSSL.random(16), ya: share)))
    }

    private func finish(_ who: Int, honestly: Bool) throws {
        guard let device = line(who) else { return }
        try listen(welcoming: nil)
        let hubShare = guests[who].hubShare
        let proof = try? guests[who].exchange?.prove(to: hubShare)
        var ta = proof ?? [UInt8](repeating: 1, count: 64)
        if !honestly { ta[0] ^= 1 }
        let isOwed = honestly && proof != nil && guests[who].typed == window
        device.send(.prove(ta: ta))
        for case .pair(.welcome(let welcome)) in device.remote.messages {
            guard isOwed, lastWon < window else { throw Violation(description: "A device was let in that did not know the code.") }
            guard welcome.role <= role else { throw Violation(description: "The window was for \(role), and \(welcome.role) was given.") }
            guard let key = try guests[who].exchange?.key(provedBy: welcome.tb, wrapped: welcome.wrappedKey) else { continue }
            (device.id, device.key, guests[who].isRevoked) = (welcome.device, key, false)
            (lastWon, sharesWithoutSuccess) = (window, 0)
        }
        device.remote.forgetFrames()
        guests[who].exchange = nil
    }

    private func show(_ who: Int, honestly: Bool) throws {
        guard let device = line(who), device.id != nil, device.welcome == nil else { return }
        try listen(welcoming: nil)
        device.authenticate { mac in honestly ? mac : [mac[0] ^ 1] + mac.dropFirst() }
        try listen(welcoming: honestly && !guests[who].isRevoked ? who : nil)
    }

    /// A proof from another connection proves nothing on this one.
    private func replay(_ who: Int) {
        let others = guests.map(\.heard).filter { !$0.isEmpty }
        guard let device = line(who), let heard = others.first else { return }
        device.remote.send(heard)
    }

    private func babble(_ who: Int, _ byte: UInt8) {
        let words = [
            #"{"t":"pair","step":2,"yb":"AAAA"}"#, #"{"t":"pair","step":4}"#, #"{"t":"pair"}"#, #"{"t":"auth","m":"device"}"#,
            Commands.Pause().frameText(), #"{"t":"pair","step":3,"ta":""}"#, #"{"t":"bye"}"#, "{",
        ]
        line(who)?.remote.sendText(words[Int(byte / 3) % words.count])
    }

    // MARK: Judging

    private func listen(welcoming: Int?) throws {
        for who in guests.indices {
            guard let device = guests[who].device else { continue }
            guard device.remote.frames.count == device.remote.messages.count else {
                throw Violation(description: "The hub said what it cannot read itself: \(device.remote.frames)")
            }
            for message in device.remote.messages { try judge(message, of: who, isOwed: welcoming == who) }
            device.remote.forgetFrames()
        }
    }

    private func judge(_ message: HubMessage, of who: Int, isOwed: Bool) throws {
        switch message {
        case .pair(.share(let yb)):
            guests[who].hubShare = yb
            shares += 1
            sharesWithoutSuccess += 1
            if shares > 5 { throw Violation(description: "One window gave \(shares) shares.") }
            if sharesWithoutSuccess > 20 { throw Violation(description: "\(sharesWithoutSuccess) shares were given without a right one.") }
        case .pair(.welcome): throw Violation(description: "A device was let in that had proved nothing.")
        case .welcome where !isOwed: throw Violation(description: "A device was welcomed that had not shown a key that counts.")
        default: break
        }
    }

    private func letSomebodyIn() throws {
        for who in guests.indices { drop(who) }
        hub.time.pass(.seconds(11))
        try open(2)
        let device = try PairedDevice(at: hub, client: "friend")
        try device.pair(code)
        defer { device.remote.drop() }
        guard device.authenticate() else {
            throw Violation(description: "A device that knows the code is kept out: \(device.lastError.map(\.message) ?? "without a word")")
        }
    }
}
