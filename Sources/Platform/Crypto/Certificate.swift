import COpenSSL

/// Certificates that the hub signs itself: a root that a household may choose to trust, and the hub's own under it, which contains the
/// current names and addresses of the machine.
///
/// Values in DER. A device pins the hub's key and not its certificate, so a new certificate with the same key changes nothing for devices.
package struct Certificate: Equatable, Sendable {
    package let der: [UInt8]

    package init(der: [UInt8]) { self.der = der }

    /// Names and addresses for which the hub's certificate is valid.
    package struct Names: Equatable, Sendable {
        /// Host names, such as `living-room.local`.
        package var hosts: [String]
        /// IPv4 and IPv6 addresses as text.
        package var addresses: [String]

        package init(hosts: [String], addresses: [String]) {
            self.hosts = hosts.filter(Certificate.isHost)
            self.addresses = addresses
        }
    }

    private struct Extension {
        let nid: Int32
        let value: String
    }

    private static let tenYears = 3_650
    /// Longest validity that Apple's systems accept.
    private static let leafDays = 397

    /// The root is restricted to local networks: names under `.local` and this machine's, and private addresses. So an attacker with a
    /// stolen key cannot impersonate a site on the internet to people who trust the root.
    package static func root(name: String, host: String, key: SigningKey) -> Certificate {
        var allowed = ["permitted;DNS:local", "permitted;DNS:localhost"]
        if isHost(host), host != "localhost" { allowed.append("permitted;DNS:\(host)") }
        allowed += Self.homeNetworks.map { "permitted;IP:\($0)" }
        return make(
            subject: "Baton root of \(name)", issuer: nil, subjectKey: key, signedBy: key, days: tenYears,
            [
                Extension(nid: NID_basic_constraints, value: "critical,CA:TRUE,pathlen:0"),
                Extension(nid: NID_key_usage, value: "critical,keyCertSign,cRLSign"),
                Extension(nid: NID_subject_key_identifier, value: "hash"),
                Extension(nid: NID_name_constraints, value: "critical," + allowed.joined(separator: ",")),
            ])
    }

    /// Whether the name is a plain host name. OpenSSL parses extensions as text, in which a comma ends a name and other characters have
    /// special meanings, and the machine's name may come from a network.
    package static func isHost(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
                }
            }
    }

    private static let homeNetworks = [
        "127.0.0.0/255.0.0.0", "10.0.0.0/255.0.0.0", "172.16.0.0/255.240.0.0", "192.168.0.0/255.255.0.0", "169.254.0.0/255.255.0.0",
        "0:0:0:0:0:0:0:1/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fc00:0:0:0:0:0:0:0/fe00:0:0:0:0:0:0:0",
        "fe80:0:0:0:0:0:0:0/ffc0:0:0:0:0:0:0:0",
    ]

    /// Whether the root may certify this address.
    package static func isOfHome(_ address: String) -> Bool {
        if address.contains(":") { return address == "::1" || ["fc", "fd", "fe8", "fe9", "fea", "feb"].contains { address.hasPrefix($0) } }
        let parts = address.split(separator: ".").compactMap { UInt8($0) }
        guard parts.count == 4 else { return false }
        return switch (parts[0], parts[1]) {
        case (127, _), (10, _), (192, 168), (169, 254), (172, 16...31): true
        default: false
        }
    }

    /// The hub's own certificate under its root.
    package static func leaf(name: String, _ names: Names, key: SigningKey, root: Certificate, rootKey: SigningKey) -> Certificate {
        let places = names.hosts.map { "DNS:\($0)" } + names.addresses.map { "IP:\($0)" }
        return make(
            subject: name, issuer: root, subjectKey: key, signedBy: rootKey, days: leafDays,
            [
                Extension(nid: NID_basic_constraints, value: "critical,CA:FALSE"),
                Extension(nid: NID_key_usage, value: "critical,digitalSignature"),
                Extension(nid: NID_ext_key_usage, value: "serverAuth"),
                Extension(nid: NID_subject_alt_name, value: places.joined(separator: ",")),
                Extension(nid: NID_authority_key_identifier, value: "keyid:always"),
            ])
    }

    private static func make(
        subject: String, issuer: Certificate?, subjectKey: SigningKey, signedBy key: SigningKey, days: Int, _ extensions: [Extension]
    ) -> Certificate {
        guard let certificate = unsafe X509_new() else { preconditionFailure("OpenSSL could not make a certificate.") }
        defer { unsafe X509_free(certificate) }
        let parent = unsafe issuer.flatMap { unsafe $0.opened() }
        defer { unsafe X509_free(parent) }
        unsafe X509_set_version(certificate, 2)
        unsafe setSerial(of: certificate)
        // A device whose clock is a day behind must not refuse the certificate.
        unsafe X509_gmtime_adj(X509_getm_notBefore(certificate), -86_400)
        unsafe X509_gmtime_adj(X509_getm_notAfter(certificate), days * 86_400)
        unsafe X509_set_pubkey(certificate, subjectKey.raw)
        let own = unsafe X509_get_subject_name(certificate)
        unsafe X509_NAME_add_entry_by_txt(own, "CN", MBSTRING_UTF8, commonName(subject), -1, -1, 0)
        unsafe X509_set_issuer_name(certificate, parent == nil ? own : X509_get_subject_name(parent))
        for wanted in extensions {
            guard let made = unsafe baton_x509_extension(parent ?? certificate, certificate, wanted.nid, wanted.value) else {
                preconditionFailure("OpenSSL does not understand the extension “\(wanted.value)”.")
            }
            unsafe X509_add_ext(certificate, made, -1)
            unsafe X509_EXTENSION_free(made)
        }
        precondition(unsafe X509_sign(certificate, key.raw, EVP_sha256()) > 0, "OpenSSL could not sign a certificate.")
        return unsafe Certificate(der: encoded { unsafe i2d_X509(certificate, $0) })
    }

    /// A common name has at most 64 characters.
    private static func commonName(_ name: String) -> String { String(String.UnicodeScalarView(name.unicodeScalars.prefix(64))) }

    private static func setSerial(of certificate: OpaquePointer) {
        var serial = OpenSSL().random(16)
        serial[0] &= 0x7f
        let number = unsafe BN_bin2bn(serial, Int32(serial.count), nil)
        defer { unsafe BN_free(number) }
        unsafe BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate))
    }

    private func opened() -> OpaquePointer? {
        unsafe der.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return unsafe d2i_X509(nil, &start, bytes.count)
        }
    }

    /// Whether these bytes are a certificate for this key.
    package func isOf(_ key: SigningKey) -> Bool {
        guard let opened = unsafe opened() else {
            ERR_clear_error()
            return false
        }
        defer { unsafe X509_free(opened) }
        return unsafe EVP_PKEY_eq(X509_get0_pubkey(opened), key.raw) == 1
    }

    /// Seconds until it expires; negative afterwards.
    package var secondsLeft: Int64 {
        guard let opened = unsafe opened() else { return 0 }
        defer { unsafe X509_free(opened) }
        var days: Int32 = 0
        var seconds: Int32 = 0
        unsafe ASN1_TIME_diff(&days, &seconds, nil, X509_get0_notAfter(opened))
        return Int64(days) * 86_400 + Int64(seconds)
    }
}
