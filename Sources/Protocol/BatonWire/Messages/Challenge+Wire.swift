import BatonPairing
import BatonProtocol

/// Keys and what proves them, as bytes in base64url.
extension Fields {
    func device(_ name: String) throws(ProtocolFault) -> DeviceID? { try token(name, length: 3...32).map(DeviceID.init) }

    /// Bytes in base64url.
    func bytes(_ name: String, count: Int) throws(ProtocolFault) -> [UInt8]? {
        guard has(name) else { return nil }
        guard let text = object[name]?.string, let bytes = Base64URL.bytes(text), bytes.count == count else {
            throw fault(name, "\(name) must be \(count) bytes in base64url.")
        }
        return bytes
    }
}

extension JSONWriter {
    package mutating func member(_ name: StaticString, bytes: [UInt8]) { member(name, Base64URL.text(bytes)) }
}
