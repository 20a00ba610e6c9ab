import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire

/// The stored list of devices, in JSON so that a person can read it if necessary.
extension DeviceTable {
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

    /// `nil` if these bytes are not a list of devices.
    init?(_ bytes: [UInt8]) {
        self.init()
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
}

extension Device {
    fileprivate func encode(into writer: inout JSONWriter) {
        writer.member("dev", id.text)
        writer.member("name", name)
        writer.member("role", role.rawValue)
        if person != .home { writer.member("person", person.text) }
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
        let proof: Proof
        if let key = bytes("key"), key.count == DeviceProof.keyBytes {
            proof = .key(key, next: bytes("next"))
        } else if let hash = bytes("cookie") {
            proof = .cookie(hash: hash)
        } else {
            return nil
        }
        self.init(
            id: DeviceID(id), name: name, role: role, person: json["person"]?.string.map { Person($0) } ?? .home, proof: proof,
            pairedMs: Milliseconds(json["paired_ms"]?.int ?? 0),
            seenMs: Milliseconds(json["seen_ms"]?.int ?? 0), expiresMs: json["expires_ms"]?.int.map { Milliseconds($0) })
        if let levels = json["span"]?.array?.compactMap({ $0.int.map { Int($0) } }), levels.count == 2, levels[0] <= levels[1] {
            span = levels[0]...levels[1]
        }
    }
}
