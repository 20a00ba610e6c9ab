/// The four messages of a pairing, sent by both sides in turn. `BatonPairing` computes their contents.
package enum PairMessage: Equatable, Sendable {
    package static let type = "pair"

    /// The device begins, and says whether it has the digits or the token.
    case begin(PairBegin)
    /// The hub's share.
    case share(yb: [UInt8])
    /// The device's proof that it knows the code.
    case prove(ta: [UInt8])
    /// The hub's proof, with the new key in encrypted form.
    case welcome(Welcome)

    /// The form in which a device has the code.
    package enum Code: String, Sendable, CaseIterable { case pin, qr }

    /// The hub's last message. The device checks `tb` before it decrypts the key, because another machine may have answered.
    package struct Welcome: Equatable, Sendable {
        /// The hub's proof that it knows the same code; 64 bytes.
        package var tb: [UInt8]
        package var device: DeviceID
        /// The new device key, encrypted with the shared secret of the pairing.
        package var wrappedKey: [UInt8]
        /// The lower of the role that the owner granted with the window and the one that the device requested.
        package var role: Role

        package init(tb: [UInt8], device: DeviceID, wrappedKey: [UInt8], role: Role) {
            self.tb = tb
            self.device = device
            self.wrappedKey = wrappedKey
            self.role = role
        }
    }
}
