import BatonCore
package import BatonProtocol

/// The JSON form of `PairingWindow` and its parts.
extension PairingWindow {
    /// Writes the window. The address of the QR code is left out of a message that it does not fit into.
    package func encode(into writer: inout JSONWriter, bytes _: Int) {
        writer.object { window in
            window.member("pin", pin)
            window.member("role", role.rawValue)
            window.member("ttlMs", leftMs)
            // A client with a small size limit does not show a QR code either.
            if let address, window.left(of: .max, leaving: 16) > address.utf8.count { window.member("qr", address) }
        }
    }
}
