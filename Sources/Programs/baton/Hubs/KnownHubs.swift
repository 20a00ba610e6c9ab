import BatonClient
import BatonProtocol
import BatonSeams
import BatonWire
import Configuration
import Crypto
import Glibc

/// A hub that this machine is paired with: its key, by which it is recognised, and the key of this device.
struct KnownHub: Equatable, Sendable {
    var id: String
    var name: String
    /// SHA-256 of the hub's public key.
    var hubKey: [UInt8]
    var device: DeviceID
    var key: [UInt8]
    /// The hub's last address, as `wss://host:port`.
    var address: String

    var endpoint: Endpoint? { Endpoint(text: address)?.pinned(to: hubKey) }

    var credential: Credential { Credential(device: device, key: key, cryptography: OpenSSL()) }
}

/// All paired hubs, in one file that only its owner may read.
struct KnownHubs: Sendable {
    let folder: String

    var all: [KnownHub] {
        get throws(KeyStoreFault) {
            guard access("\(folder)/hubs", F_OK) == 0, let bytes = try SecretFile("hubs", in: folder).load() else { return [] }
            guard let list = (try? JSON.parse(bytes.span, limits: .standard))?["hubs"]?.array else {
                throw KeyStoreFault("\(folder)/hubs cannot be read. Move it away and pair this machine again.")
            }
            return list.compactMap(KnownHub.init)
        }
    }

    /// A new pairing with a hub replaces the earlier one.
    func store(_ hub: KnownHub) throws(KeyStoreFault) {
        try write(all.filter { $0.id != hub.id } + [hub])
    }

    func forget(_ id: String) throws(KeyStoreFault) { try write(all.filter { $0.id != id }) }

    private func write(_ hubs: [KnownHub]) throws(KeyStoreFault) {
        let bytes = JSONWriter.bytes { writer in
            writer.object { $0.member("hubs", array: { list in for hub in hubs { list.object(hub.encode) } }) }
        }
        try SecretFile("hubs", in: folder).store(bytes)
    }
}

extension KnownHub {
    fileprivate func encode(into writer: inout JSONWriter) {
        writer.member("id", id)
        writer.member("name", name)
        writer.member("hub_key", bytes: hubKey)
        writer.member("dev", device.text)
        writer.member("key", bytes: key)
        writer.member("address", address)
    }

    fileprivate init?(_ json: JSON) {
        let bytes = { (name: String) in json[name]?.string.flatMap(Base64URL.bytes) }
        guard let id = json["id"]?.string, let hubKey = bytes("hub_key"), let key = bytes("key"), let device = json["dev"]?.string,
            let address = json["address"]?.string
        else { return nil }
        self.init(
            id: id, name: json["name"]?.string ?? "", hubKey: hubKey, device: DeviceID(device), key: key, address: address)
    }
}
