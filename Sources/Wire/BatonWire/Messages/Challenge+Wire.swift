import BatonProtocol

/// Keys and what proves them, as bytes in base64url.
extension Fields {
    func device(_ name: String) throws(ProtocolFault) -> DeviceID? { try token(name, length: 3...32).map(DeviceID.init) }

    /// Bytes in base64url.
    func bytes(_ name: String, count: Int) throws(ProtocolFault) -> [UInt8]? {
        try read(name, as: "\(count) bytes in base64url") { value in
            value.string.flatMap(Base64URL.bytes).flatMap { $0.count == count ? $0 : nil }
        }
    }
}

extension JSONWriter {
    package mutating func member(_ name: StaticString, bytes: [UInt8]) { member(name, Base64URL.text(bytes)) }
}
