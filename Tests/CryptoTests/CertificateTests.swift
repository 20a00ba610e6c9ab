import BatonProtocol
import Crypto
import Foundation
import Harness
import Testing

/// What the hub signs, as another program reads it: the `openssl` of the command line.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"), "openssl is missing"))
struct CertificateTests {
    private let names = Certificate.Names(hosts: ["attic.local", "attic"], addresses: ["192.168.1.7", "fe80::1"])

    private func make() -> (root: Certificate, leaf: Certificate, key: SigningKey) {
        let rootKey = SigningKey.make()
        let key = SigningKey.make()
        let root = Certificate.root(name: "Attic", host: "attic", key: rootKey)
        return (root, Certificate.leaf(name: "Attic", names, key: key, root: root, rootKey: rootKey), key)
    }

    /// Lets `openssl` look at files of these names.
    private func openssl(_ arguments: [String], _ files: [String: String]) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "baton-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
        let outcome = try Outcome.of(["openssl"] + arguments, folder: folder.path)
        return outcome.out + outcome.err
    }

    @Test func `the leaf names the machine and its addresses and is vouched for by the root`() throws {
        let (root, leaf, _) = make()
        let files = ["root.pem": PEM.text("CERTIFICATE", root.der), "leaf.pem": PEM.text("CERTIFICATE", leaf.der)]

        let verified = try openssl(["verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", "root.pem", "leaf.pem"], files)
        let shown = try openssl(["x509", "-in", "leaf.pem", "-noout", "-text"], files)

        #expect(verified == "leaf.pem: OK\n")
        #expect(shown.contains("DNS:attic.local, DNS:attic, IP Address:192.168.1.7, IP Address:FE80:0:0:0:0:0:0:1"), "\(shown)")
    }

    @Test(arguments: ["attic,IP:93.184.216.34", "attic\nother", "@section", "a b", "dirName:x"])
    func `a machine's odd name is left out of the certificate`(host: String) throws {
        let rootKey = SigningKey.make()
        let root = Certificate.root(name: "Attic", host: host, key: rootKey)
        let names = Certificate.Names(hosts: ["\(host).local", host, "localhost"], addresses: ["192.168.1.7"])
        let leaf = Certificate.leaf(name: "Attic", names, key: SigningKey.make(), root: root, rootKey: rootKey)

        let shown = try openssl(
            ["x509", "-in", "leaf.pem", "-noout", "-ext", "subjectAltName"], ["leaf.pem": PEM.text("CERTIFICATE", leaf.der)])

        let found = shown.split(separator: "\n").last.map { $0.filter { $0 != " " } }
        #expect(found == "DNS:localhost,IPAddress:192.168.1.7", "\(shown)")
    }

    @Test func `the root certifies only names and addresses of a local network`() throws {
        let rootKey = SigningKey.make()
        let root = Certificate.root(name: "Attic", host: "attic", key: rootKey)
        for names in [
            Certificate.Names(hosts: ["bank.example"], addresses: []), Certificate.Names(hosts: [], addresses: ["93.184.216.34"]),
        ] {
            let leaf = Certificate.leaf(name: "Bank", names, key: SigningKey.make(), root: root, rootKey: rootKey)

            let verified = try openssl(
                ["verify", "-CAfile", "root.pem", "leaf.pem"],
                ["root.pem": PEM.text("CERTIFICATE", root.der), "leaf.pem": PEM.text("CERTIFICATE", leaf.der)])

            #expect(verified.contains("permitted subtree violation"), "\(verified)")
        }
    }

    @Test func `a key comes back from its file with the same public half`() throws {
        let key = SigningKey.make()
        let text = PEM.text("EC PRIVATE KEY", key.der)

        let der = try #require(PEM.der("EC PRIVATE KEY", in: text))
        let again = try #require(SigningKey(der: der))
        let shown = try openssl(["pkey", "-in", "key.pem", "-pubout", "-outform", "PEM"], ["key.pem": text])

        #expect(again.publicKey == key.publicKey)
        #expect(shown == PEM.text("PUBLIC KEY", key.publicKey))
        #expect(SigningKey(der: [1, 2, 3]) == nil)
    }

    @Test func `a certificate knows whose it is and how long it lasts`() {
        let (root, leaf, key) = make()

        #expect(leaf.isOf(key) && !root.isOf(key))
        #expect((396 * 86_400...397 * 86_400).contains(leaf.secondsLeft))
        #expect(!Certificate(der: [0x30, 0]).isOf(key))
    }
}
