import BatonCore
import BatonPairing
package import BatonProtocol

/// The JSON form of `Challenge` and its parts.
extension Challenge {
    init(from fields: Fields) throws(ProtocolFault) {
        let who = try fields.required("hub", fields.fields("hub"))
        self.init(
            hub: try who.required("id", who.text("id")),
            name: try who.text("name") ?? "",
            nonce: try fields.required("nonce", fields.bytes("nonce", count: DeviceProof.nonceBytes)),
            methods: try fields.texts("m")?.compactMap(Method.init(rawValue:)) ?? [],
            binding: try fields.required("cb", fields.choice("cb")))
    }

    package func encode(into writer: inout JSONWriter) {
        writer.message(Self.type) { message in
            message.member(
                "hub",
                object: {
                    $0.member("id", hub)
                    $0.member("name", $0.shown(name, DisplayText(bytes: .max)))
                })
            message.member("nonce", bytes: nonce)
            message.member("m", methods.map(\.rawValue))
            message.member("cb", binding.rawValue)
        }
    }
}

extension Authentication {
    init(from fields: Fields) throws(ProtocolFault) {
        enum Method: String, CaseIterable { case device }
        let _: Method = try fields.required("m", fields.choice("m"))
        self.init(
            device: try fields.required("dev", fields.device("dev")),
            nonce: try fields.required("nonce", fields.bytes("nonce", count: DeviceProof.nonceBytes)),
            mac: try fields.required("mac", fields.bytes("mac", count: 32)))
    }

    package func encode(into writer: inout JSONWriter) {
        writer.message(Self.type) { message in
            message.member("m", "device")
            message.member("dev", device.text)
            message.member("nonce", bytes: nonce)
            message.member("mac", bytes: mac)
        }
    }
}

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
