import BatonClient
import BatonCore
import BatonProtocol
import BatonWire
import Configuration
import Crypto
import Glibc
import Terminals

/// Verbs about pairing: on the hub's machine they allow it and manage the paired devices, on another machine they pair it.
extension Verb {
    @Sendable static func pair(_ call: Invocation, _ satellite: Satellite) async throws {
        if call.options.has("open") { return try await openWindow(call, satellite) }
        let endpoint = try await satellite.finder.pairable(try call.operandIfAny())
        let code = try readCode(endpoint)
        let result = try await limited(to: max(call.timeout, .seconds(15)), sentence: "\(endpoint) did not answer in time.") {
            let pairing = PairingCall(
                to: code.pin.map(endpoint.pinned(to:)) ?? endpoint, hello: satellite.hello(call), name: call.ownName, OpenSSL()
            )
            return try await pairing.pair(by: code.code, wanting: try call.wantedRole(), over: satellite.transport)
        }
        let known = KnownHub(
            id: result.hub, name: result.hubName, hubKey: result.hubKey, device: result.device, key: result.key, address: endpoint.text)
        try satellite.memory.hubs.store(known)
        satellite.memory.remember(endpoint)
        if call.json {
            return Output.json { writer in
                writer.object {
                    $0.member("hub", result.hub)
                    $0.member("name", result.hubName)
                    $0.member("dev", result.device.text)
                    $0.member("role", result.role.rawValue)
                }
            }
        }
        Output.line("Paired with “\(result.hubName)” as \(result.role.rawValue). From now on: baton status")
    }

    /// Reads the code, typed or pasted from the QR code. It is never an argument, because all users of a machine can
    /// read the arguments of programs.
    private static func readCode(_ endpoint: Endpoint) throws(Stop) -> (code: PairingCall.Code, pin: [UInt8]?) {
        if isatty(STDIN_FILENO) == 1 { Output.prompt("The code that \(endpoint) shows (baton pair --open): ") }
        let text = (readLine() ?? "").filter { !$0.isWhitespace }
        let digits = text.filter { $0 != "-" }
        if digits.utf8.count == 6, digits.allSatisfy(\.isASCIIDigit) { return (.pin(digits), nil) }
        if let link = PairingLink(text) { return (.token(link.token), link.hubKey) }
        throw Stop(.usage, "That is no code. It has six digits, as in 123-456.")
    }

    // MARK: On the hub's machine

    private static func openWindow(_ call: Invocation, _ satellite: Satellite) async throws {
        try call.expectNoOperands()
        let opening = Commands.PairOpen(role: try call.wantedRole() ?? .remote)
        try await satellite.withHub(call) { hub in
            let opened = try await hub.send(opening)
            if call.json { return Output.json(opened) }
            let window = try opened.whole()
            if let code = window.address.flatMap({ QRCode($0) }) { for line in code.lines { Output.line(line) } }
            Output.line("Code  \(window.pin.prefix(3))-\(window.pin.suffix(3))  for the role \(window.role.rawValue)")
            for line in ways(to: window.address) { Output.line(line) }
            Output.line("Ctrl-C to go; the window closes by itself.")
            try await waitForWindow(hub)
        }
    }

    /// Sentences that say where to enter the code. The address of a QR code contains the code after a `#`.
    static func ways(to address: String?) -> [String] {
        guard let page = address?.split(separator: "#").first else {
            return ["No other machine can connect: the hub has no port for the network. See the setting tls in batond.conf."]
        }
        let hub = page.hasPrefix("https://") ? "wss://" + page.dropFirst("https://".count).filter { $0 != "/" } : String(page)
        return ["On the other machine: baton pair, or baton pair \(hub)", "In a browser: \(page)"]
    }

    /// Waits until a device is paired or the window closes, and prints the result.
    private static func waitForWindow(_ hub: ReconnectingHub) async throws {
        let before = Set(try await hub.devices().list.rows.map(\.id))
        while true {
            try await Task.sleep(for: .seconds(1))
            let devices = try await hub.devices().list
            if let new = devices.rows.first(where: { !before.contains($0.id) }) {
                return Output.line("“\(new.name)” is paired as \(new.role.rawValue).")
            }
            if devices.window == nil { throw Stop(.refused, "The pairing window has closed, and no device was paired.") }
        }
    }

    @Sendable static func devices(_ call: Invocation, _ satellite: Satellite) async throws {
        switch call.operands.first ?? "list" {
        case "list": try await listDevices(call, satellite)
        case "role":
            let role = try Invocation.role(named: call.operand(2, "a role: listener, guest, remote or admin"))
            try await change(for: call, on: satellite, saying: "has the role \(role.rawValue) now") { Commands.DeviceRole($0, role: role) }
        case "rename":
            let name = try call.operand(2, "a name")
            try await change(for: call, on: satellite, saying: "is called “\(name)” now") { Commands.DeviceRename($0, name: name) }
        case "person":
            let person = try call.operand(2, "the name of a person")
            try await change(for: call, on: satellite, saying: "moves the places of \(person) now") {
                Commands.DevicePerson($0, person: Person(person))
            }
        case "revoke":
            try call.confirm("Sending \(try call.operand(1, "a device, by its id or its name")) away")
            try await change(for: call, on: satellite, saying: "is sent away") { Commands.DeviceRevoke($0) }
        case "rotate": try await rotate(call, satellite)
        case let other: throw unknown(other, of: "devices", among: ["list", "role", "rename", "person", "revoke", "rotate"])
        }
    }

    private static func listDevices(_ call: Invocation, _ satellite: Satellite) async throws {
        try await satellite.withHub(call) { hub in
            let (devices, raw) = try await hub.devices()
            if call.json { return Output.json { $0.value(raw) } }
            for device in devices.rows { Output.line(device.line(nowMs: Clock.wallMs())) }
            if devices.rows.isEmpty { Output.line("No device is paired. Let one in: baton pair --open") }
            if devices.isLocked {
                Output.line("Too many wrong codes were tried; pairing waits for: baton pair --open, on the hub's machine.")
            }
        }
    }

    /// Changes a device, given by its id or by a unique name.
    private static func change<Command: WireCommand>(
        for call: Invocation, on satellite: Satellite, saying said: String, command: @escaping @Sendable (DeviceID) -> Command
    ) async throws {
        let word = try call.operand(1, "a device, by its id or its name")
        try await satellite.withHub(call) { hub in
            try await hub.send(command(try await device(called: word, hub)))
            Output.done("\(word) \(said).", call)
        }
    }

    static func device(called word: String, _ hub: ReconnectingHub) async throws -> DeviceID {
        let named = try await hub.devices().list.rows.filter { $0.id.text == word || $0.name.lowercased() == word.lowercased() }
        guard named.count == 1, let device = named.first else {
            throw Stop(
                .refused,
                named.isEmpty ? "There is no device “\(word)”. See: baton devices" : "Several devices are called “\(word)”. Use an id.")
        }
        return device.id
    }

    /// Replaces this machine's own key.
    private static func rotate(_ call: Invocation, _ satellite: Satellite) async throws {
        try await satellite.withHub(call) { hub in
            guard let old = satellite.memory.knownHub(at: hub.endpoint) else {
                throw Stop(.refused, "This machine has no key at that hub: it comes by a way that needs none.")
            }
            let sent = try await hub.ask(Commands.DeviceRotate())
            let openSSL = OpenSSL()
            let wrapping = openSSL.hkdfSHA256(old.key, salt: sent.salt, info: Array("baton-rotate".utf8), count: 32)
            guard let key = openSSL.open(sent.wrappedKey, key: wrapping, nonce: [UInt8](repeating: 0, count: 12)) else {
                throw Stop(.connection, "The hub's answer could not be read; the old key stays.")
            }
            var new = old
            new.key = key
            try satellite.memory.hubs.store(new)
            Output.done("This machine has a new key.", call)
        }
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}

extension Invocation {
    func wantedRole() throws(Stop) -> Role? {
        try options["role"].map { name throws(Stop) in try Self.role(named: name) }
    }

    static func role(named name: String) throws(Stop) -> Role {
        guard let role = Role(rawValue: name) else {
            throw Stop(.usage, "There is no role “\(name)”: there are listener, guest, remote and admin.")
        }
        return role
    }
}

/// The link in the QR code: `https://host:port/#pair=TOKEN&id=HUB&fp=KEY`.
struct PairingLink: Equatable, Sendable {
    let token: [UInt8]
    let hubKey: [UInt8]

    init?(_ text: String) {
        guard text.hasPrefix("https://"), let mark = text.firstIndex(of: "#") else { return nil }
        var parts: [String: String] = [:]
        for part in text[text.index(after: mark)...].split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { parts[String(pair[0])] = String(pair[1]) }
        }
        guard let token = parts["pair"].flatMap(Base64URL.bytes), token.count == 16, let key = parts["fp"].flatMap(Base64URL.bytes),
            key.count == 32
        else { return nil }
        self.token = token
        hubKey = key
    }
}
