import BatonPairing
import BatonProtocol
import BatonWire

/// A device or a browser that the hub has let in, as it is remembered between two connections.
struct Device: Equatable, Sendable {
    /// How it shows who it is.
    enum Proof: Equatable, Sendable {
        /// The key of its pairing. A newer one counts from the moment it is first used.
        case key([UInt8], next: [UInt8]?)
        /// SHA-256 of what its cookie holds; whoever reads the file cannot pose as the browser.
        case cookie(hash: [UInt8])
    }

    var id: DeviceID
    var name: String
    var role: Role
    var proof: Proof
    var pairedMs: Int64
    var seenMs: Int64
    /// When it has to go; never, if `nil`.
    var expiresMs: Int64?
    /// The levels between which it may turn the volume, for a guest.
    var span: ClosedRange<Int>?

    var isBrowser: Bool { if case .cookie = proof { true } else { false } }

    func isExpired(atMs nowMs: Int64) -> Bool { expiresMs.map { $0 <= nowMs } ?? false }
}

/// All devices, and the ones that were sent away: what the vault holds. JSON, so that a person who has
/// to can read it.
struct DeviceTable: Equatable, Sendable {
    var devices: [Device] = []
    /// Newest last. Kept so that who was sent away is told so, and not only that nobody knows them.
    var revoked: [DeviceID] = []
    /// Wrong codes since the last right one, in all windows.
    var failures = 0

    static let mostRevoked = 256

    subscript(id: DeviceID) -> Device? {
        get { devices.first { $0.id == id } }
        set {
            devices.removeAll { $0.id == id }
            if let newValue { devices.append(newValue) }
        }
    }

    mutating func revoke(_ id: DeviceID) {
        self[id] = nil
        revoked = Array((revoked + [id]).suffix(Self.mostRevoked))
    }

    var bytes: [UInt8] {
        JSONWriter.bytes { writer in
            writer.object { table in
                table.member("version", 1)
                table.member("failures", failures)
                table.member("revoked", revoked.map(\.text))
                table.member("devices", array: { list in for device in devices { list.object(device.encode) } })
            }
        }
    }

    /// `nil` when these bytes are no table of ours.
    init?(_ bytes: [UInt8]) {
        var limits = JSONLimits.standard
        limits.elements = 100_000
        guard let root = try? JSON.parse(bytes.span, limits: limits), root["version"]?.int == 1,
            let list = root["devices"]?.array
        else { return nil }
        for entry in list {
            guard let device = Device(entry) else { return nil }
            devices.append(device)
        }
        revoked = root["revoked"]?.array?.compactMap { $0.string.map(DeviceID.init) } ?? []
        failures = root["failures"]?.int.map { Int($0) } ?? 0
    }

    init() {}
}

extension Device {
    fileprivate func encode(into writer: inout JSONWriter) {
        writer.member("dev", id.text)
        writer.member("name", name)
        writer.member("role", role.rawValue)
        switch proof {
        case .key(let key, let next):
            writer.member("key", bytes: key)
            if let next { writer.member("next", bytes: next) }
        case .cookie(let hash): writer.member("cookie", bytes: hash)
        }
        writer.member("paired_ms", pairedMs)
        writer.member("seen_ms", seenMs)
        writer.member("expires_ms", ifPresent: expiresMs)
        if let span { writer.member("span", span) }
    }

    fileprivate init?(_ json: JSON) {
        let bytes = { (name: String) in json[name]?.string.flatMap(Base64URL.bytes) }
        guard let id = json["dev"]?.string, let name = json["name"]?.string, let role = json["role"]?.string.flatMap(Role.init(rawValue:))
        else { return nil }
        if let key = bytes("key"), key.count == DeviceProof.keyBytes {
            proof = .key(key, next: bytes("next"))
        } else if let hash = bytes("cookie") {
            proof = .cookie(hash: hash)
        } else {
            return nil
        }
        self.id = DeviceID(id)
        self.name = name
        self.role = role
        pairedMs = json["paired_ms"]?.int ?? 0
        seenMs = json["seen_ms"]?.int ?? 0
        expiresMs = json["expires_ms"]?.int
        if let levels = json["span"]?.array?.compactMap({ $0.int.map { Int($0) } }), levels.count == 2, levels[0] <= levels[1] {
            span = levels[0]...levels[1]
        }
    }
}
