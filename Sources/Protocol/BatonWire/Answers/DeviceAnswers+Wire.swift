import BatonCore
import BatonPairing
package import BatonProtocol

/// The JSON form of `PairingWindow` and its parts.
extension PairingWindow {
    package func encode(into writer: inout JSONWriter, bytes _: Int) {
        writer.object { window in
            window.member("pin", pin)
            window.member("role", role.rawValue)
            window.member("ttlMs", leftMs)
            // A client with a small size limit does not show a QR code either.
            if let address, window.left(of: .max, leaving: 16) > address.utf8.count { window.member("qr", address) }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        self.init(
            pin: try fields.required("pin", fields.text("pin")), role: try fields.role("role"),
            leftMs: try fields.required("ttlMs", fields.int64("ttlMs")), address: try fields.text("qr"))
    }
}

extension NewDeviceKey {
    package func encode(into writer: inout JSONWriter, bytes _: Int) {
        writer.object { key in
            key.member("dev", device.text)
            key.member("salt", bytes: salt)
            key.member("wk", bytes: wrappedKey)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        self.init(
            device: DeviceID(try fields.required("dev", fields.text("dev"))),
            salt: try fields.required("salt", fields.bytes("salt", count: Self.saltBytes)),
            wrappedKey: try fields.required("wk", fields.bytes("wk", count: Self.wrappedBytes)))
    }
}

extension Fields {
    /// An unknown role is read as listener.
    fileprivate func role(_ name: String) throws(ProtocolFault) -> Role {
        Role(rawValue: try required(name, text(name))) ?? .listener
    }
}
