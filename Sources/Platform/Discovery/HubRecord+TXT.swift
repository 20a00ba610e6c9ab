/// A hub's TXT record as `key=value` strings: RFC 6763 section 6 and the discovery page of the protocol. Writing is strict and reading is
/// tolerant: an unknown key, a second value for the same key and a malformed value are skipped, and the rest counts.
extension HubRecord {
    /// The strings in the order of the protocol's page; about 140 bytes for a usual hub.
    package var txt: [String] {
        var strings = ["txtvers=1"]
        if let id { strings.append("id=\(id)") }
        strings.append("v=" + majors.map { "\($0)" }.joined(separator: ","))
        strings.append("p=\(path)")
        if let plainPort { strings.append("plain=\(plainPort)") }
        if let fingerprint { strings.append("fp=\(fingerprint)") }
        if pairing { strings.append("pair=1") }
        if !features.isEmpty { strings.append("f=" + features.joined(separator: ",")) }
        // The length of a string is stored in one byte, so a longer one is left out.
        return strings.filter { $0.utf8.count <= 255 }
    }

    /// A discovered hub: `port` is from its SRV record, `txt` are the strings of its TXT record.
    package init(name: String, port: UInt16, txt: [[UInt8]], host: String? = nil, addresses: [HubAddress] = []) {
        self.init(name: name, id: nil, host: host, addresses: addresses)
        let said = Self.firstValues(of: txt)
        // Strings of a later version could have other meanings; the hub itself still counts.
        if said["txtvers", default: "1"] == "1" {
            for (key, value) in said { Self.readers[key]?(&self, value) }
        }
        // The SRV record has the TLS port, unless the hub has none.
        if plainPort != port { tlsPort = port }
    }

    /// Parsers of the known keys. One that rejects its value leaves the record unchanged.
    private static let readers: [String: @Sendable (inout HubRecord, String) -> Void] = [
        "id": { if isWord($1) { $0.id = $1 } },
        "v": { hub, value in
            let majors = value.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
            if majors.allSatisfy({ $0.map { (1...999).contains($0) } ?? false }) { hub.majors = majors.compactMap { $0 } }
        },
        "p": { if $1.hasPrefix("/"), isWord($1) { $0.path = $1 } },
        "plain": { if let port = UInt16($1), port > 0 { $0.plainPort = port } },
        "fp": { if $1.utf8.count == 16, $1.allSatisfy(\.isHexDigit) { $0.fingerprint = $1.lowercased() } },
        "pair": { $0.pairing = $1 == "1" },
        "f": { $0.features = $1.split(separator: ",").map(String.init).filter(isCode) },
    ]

    /// The first value of each key, with keys in lower case.
    private static func firstValues(of txt: [[UInt8]]) -> [String: String] {
        var values: [String: String] = [:]
        for string in txt {
            guard let equals = string.firstIndex(of: UInt8(ascii: "=")), equals > 0,
                let key = String(validating: string[..<equals], as: UTF8.self)?.lowercased(), values[key] == nil,
                let value = String(validating: string[(equals + 1)...], as: UTF8.self)
            else { continue }
            values[key] = value
        }
        return values
    }

    /// Two letters, and a version from 2 on where there is one.
    private static func isCode(_ text: String) -> Bool {
        let digits = text.utf8.dropFirst(2)
        return text.utf8.count >= 2 && text.utf8.prefix(2).allSatisfy { (0x61...0x7A).contains($0) } && digits.count <= 4
            && digits.allSatisfy { (0x30...0x39).contains($0) } && (digits.isEmpty || digits.first != UInt8(ascii: "0"))
            && !digits.elementsEqual([UInt8(ascii: "1")])
    }

    /// Printable ASCII without spaces, which is safe in URLs and logs.
    private static func isWord(_ value: String) -> Bool {
        !value.isEmpty && value.utf8.count <= 128 && value.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    }
}
