import BatonPairing

/// What a hub answers to `hello` on a channel where one has to say who one is.
package struct Challenge: Equatable, Sendable {
    package static let type = "challenge"

    /// How one may answer it.
    package enum Method: String, Sendable, CaseIterable {
        /// By the key from an earlier pairing.
        case device
        /// By the six digits, or the token, that the hub shows now.
        case pin, qr
    }

    /// What a proof is bound to on this connection.
    package enum Binding: String, Sendable, CaseIterable {
        case exporter = "exp"
        case key = "spki"
    }

    package var hub: String
    package var name: String
    package var nonce: [UInt8]
    /// Methods of later versions are left out.
    package var methods: [Method]
    package var binding: Binding

    package init(hub: String, name: String, nonce: [UInt8], methods: [Method], binding: Binding) {
        self.hub = hub
        self.name = name
        self.nonce = nonce
        self.methods = methods
        self.binding = binding
    }

    init(from fields: Fields) throws(ProtocolFault) {
        let who = try fields.required("hub", fields.fields("hub"))
        hub = try who.required("id", who.text("id"))
        name = try who.text("name") ?? ""
        nonce = try fields.required("nonce", fields.bytes("nonce", count: DeviceProof.nonceBytes))
        methods = try fields.texts("m")?.compactMap(Method.init(rawValue:)) ?? []
        binding = try fields.required("cb", fields.choice("cb"))
    }

    package func encode(into writer: inout JSONWriter) {
        writer.message(Self.type) { message in
            message.member(
                "hub",
                object: {
                    $0.member("id", hub)
                    $0.member("name", name)
                })
            message.member("nonce", bytes: nonce)
            message.member("m", methods.map(\.rawValue))
            message.member("cb", binding.rawValue)
        }
    }
}

/// How a device that was paired answers a challenge.
package struct Authentication: Equatable, Sendable {
    package static let type = "auth"

    package var device: DeviceID
    package var nonce: [UInt8]
    package var mac: [UInt8]

    package init(device: DeviceID, nonce: [UInt8], mac: [UInt8]) {
        self.device = device
        self.nonce = nonce
        self.mac = mac
    }

    init(from fields: Fields) throws(ProtocolFault) {
        enum Method: String, CaseIterable { case device }
        let _: Method = try fields.required("m", fields.choice("m"))
        device = try fields.required("dev", fields.device("dev"))
        nonce = try fields.required("nonce", fields.bytes("nonce", count: DeviceProof.nonceBytes))
        mac = try fields.required("mac", fields.bytes("mac", count: 32))
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

/// A device as the hub calls it: `d_` and some letters.
public struct DeviceID: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    public init(_ text: String) { self.text = text }

    public var description: String { text }
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
