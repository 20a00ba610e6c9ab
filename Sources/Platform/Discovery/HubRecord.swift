import BatonProtocol

/// The announcement of a hub on the local network.
///
/// A value. The hub fills in the first half and publishes it; a browser returns both halves. No part of it can be trusted, since any
/// machine can announce anything; it is only a hint for choosing a hub.
package struct HubRecord: Equatable, Sendable {
    package static let serviceType = "_baton._tcp"
    /// The subtype of hubs that accept a new device now.
    package static let pairingSubtype = "_pair._sub._baton._tcp"

    /// The instance name, which people know as the hub's name.
    package var name: String
    /// The hub's stable identifier; nil if a found hub did not announce it.
    package var id: String?
    /// Major versions of the protocol that it supports.
    package var majors: [Int]
    /// Path of the protocol on its HTTP port.
    package var path: String
    package var plainPort: UInt16?
    package var tlsPort: UInt16?
    /// The first 8 bytes of the hash of its public key, in hexadecimal.
    package var fingerprint: String?
    /// True while a pairing window is open.
    package var pairing: Bool
    /// The profiles that it has, by their codes of two letters, each with its version from 2 on; sorted.
    package var features: [String]

    /// The name of its machine, such as `living-room.local`; nil in a hub's own record.
    package var host: String?
    /// Addresses, best first; empty in a hub's own record.
    package var addresses: [HubAddress]

    package static let usualPath = CoreVersion.path

    package init(
        name: String, id: String?, majors: [Int] = [1], path: String = usualPath,
        plainPort: UInt16? = nil, tlsPort: UInt16? = nil, fingerprint: String? = nil, pairing: Bool = false, features: [String] = [],
        host: String? = nil, addresses: [HubAddress] = []
    ) {
        self.name = name
        self.id = id
        self.majors = majors
        self.path = path
        self.plainPort = plainPort
        self.tlsPort = tlsPort
        self.fingerprint = fingerprint
        self.pairing = pairing
        self.features = features
        self.host = host
        self.addresses = addresses
    }

    /// The `fingerprint` of a key with this hash.
    package static func hint(of pin: [UInt8]) -> String {
        pin.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The port for the SRV record: the TLS port, or the plain one if there is no TLS.
    package var port: UInt16? { tlsPort ?? plainPort }

    /// The name as DNS-SD can carry it: one line of 1 to 63 bytes, cut between characters.
    package var serviceName: String {
        var name = ""
        for character in self.name {
            let printable: Character = character.unicodeScalars.contains { $0.properties.generalCategory == .control } ? " " : character
            guard name.utf8.count + printable.utf8.count <= 63 else { break }
            name.append(printable)
        }
        return name.contains { $0 != " " } ? name : "Baton"
    }
}
