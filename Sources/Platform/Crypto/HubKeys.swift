package import BatonSeams

/// The keys that identify a hub: its own, which devices pin, and its root's, which a household may trust. They are created at the first
/// start, stored in the vault, and never change.
package struct HubKeys: Sendable {
    private let key: SigningKey
    private let rootKey: SigningKey
    package let root: Certificate
    private let name: String

    private static let keyLabel = "EC PRIVATE KEY"
    private static let certificateLabel = "CERTIFICATE"

    /// Opens each file of the vault by its name.
    @Loop
    package init(named name: String, host: String, in keyStore: (String) throws(KeyStoreFault) -> any KeyStore) throws(KeyStoreFault) {
        self.name = name
        key = try Self.key("hub.key", keyStore)
        rootKey = try Self.key("root.key", keyStore)
        let file = try keyStore("root.crt")
        if let stored = try file.load().flatMap({ PEM.der(Self.certificateLabel, in: String(decoding: $0, as: UTF8.self)) }),
            Certificate(der: stored).isOf(rootKey), Certificate(der: stored).secondsLeft > 0
        {
            root = Certificate(der: stored)
        } else {
            root = Certificate.root(name: name, host: host, key: rootKey)
            try file.store(Array(PEM.text(Self.certificateLabel, root.der).utf8))
        }
    }

    /// An unreadable key is never replaced, because all devices would have to be paired again.
    @Loop
    private static func key(_ name: String, _ keyStore: (String) throws(KeyStoreFault) -> any KeyStore) throws(KeyStoreFault) -> SigningKey
    {
        let file = try keyStore(name)
        if let stored = try file.load() {
            guard let der = PEM.der(keyLabel, in: String(decoding: stored, as: UTF8.self)), let key = SigningKey(der: der) else {
                throw KeyStoreFault(
                    "The hub's key \(name) cannot be read. Restore it from a backup, or move it away and pair all devices anew.")
            }
            return key
        }
        let key = SigningKey.make()
        try file.store(Array(PEM.text(keyLabel, key.der).utf8))
        return key
    }

    /// SHA-256 of the hub's public key.
    package var pin: [UInt8] { OpenSSL().sha256(key.publicKey) }

    /// The hash of the root certificate in pairs of digits, for people to compare.
    package var rootFingerprint: String {
        OpenSSL().sha256(root.der).map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.utf8.count == 1 ? "0" + digits : digits
        }.joined(separator: ":")
    }

    /// The hub's identity with its current names and addresses.
    package func identity(for names: Certificate.Names) -> TLSIdentity {
        let leaf = Certificate.leaf(name: name, names, key: key, root: root, rootKey: rootKey)
        // The root is sent too, so that a person who inspects the certificate can see which hub it belongs to.
        return TLSIdentity(certificate: leaf.der, chain: [root.der], privateKey: key.der)
    }
}
