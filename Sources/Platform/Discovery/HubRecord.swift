/// What a hub says of itself on the local network, and where it was found.
///
/// A value: the hub fills in the first half and publishes it, a browser returns both halves. None
/// of it may be trusted: any machine on the network can say anything, so what arrives is only ever a
/// hint for choosing whom to connect to.
package struct HubRecord: Equatable, Sendable {
    /// The service type of every hub.
    package static let serviceType = "_baton._tcp"
    /// The hubs among them that let a new device in at this moment.
    package static let pairingSubtype = "_pair._sub._baton._tcp"

    /// The instance name, which is the hub's name as people know it.
    package var name: String
    /// The hub's stable identifier; nil when a found hub did not say one.
    package var id: String?
    /// The major versions of the protocol that it speaks.
    package var majors: [Int]
    /// Where the protocol begins on its HTTP port.
    package var path: String
    package var plainPort: UInt16?
    package var tlsPort: UInt16?
    /// The first 8 bytes of the hash of its public key, in hexadecimal.
    package var fingerprint: String?
    /// A pairing window is open.
    package var pairing: Bool

    /// The name of its machine, such as `living-room.local`; nil unless it was found.
    package var host: String?
    /// Best first; empty unless it was found.
    package var addresses: [HubAddress]

    package static let usualPath = "/companion/v1"

    package init(
        name: String, id: String?, majors: [Int] = [1], path: String = usualPath,
        plainPort: UInt16? = nil, tlsPort: UInt16? = nil, fingerprint: String? = nil, pairing: Bool = false,
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
        self.host = host
        self.addresses = addresses
    }

    /// What `fingerprint` says of a key whose hash this is.
    package static func hint(of pin: [UInt8]) -> String {
        pin.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// What the SRV record names: the TLS port, and the plain one only while there is no other.
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
