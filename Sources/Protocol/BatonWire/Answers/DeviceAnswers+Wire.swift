import BatonCore
package import BatonProtocol

/// How `PairingWindow` is written as JSON.
extension PairingWindow {
    package func encode(into writer: inout JSONWriter) {
        writer.object { window in
            window.member("pin", pin)
            window.member("role", role.rawValue)
            window.member("ttlMs", leftMs)
            // A client that takes no long messages shows no QR code either.
            if let address, window.left(of: .max, leaving: 16) > address.utf8.count { window.member("qr", address) }
        }
    }
}
