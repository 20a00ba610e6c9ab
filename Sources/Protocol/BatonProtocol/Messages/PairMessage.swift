/// The four messages of a pairing, sent by both sides in turn. `BatonPairing` computes their contents.
package enum PairMessage: Equatable, Sendable {
    package static let type = "pair"

    /// The device's first message, which tells whether it has the digits or the token.
    case begin(Begin)
    /// The hub's share.
    case share(yb: [UInt8])
    /// The device's proof that it knows the code.
    case prove(ta: [UInt8])
    /// The hub's proof, with the new key in encrypted form.
    case welcome(Welcome)

    package struct Begin: Equatable, Sendable {
        package enum Code: String, Sendable, CaseIterable { case pin, qr }

        package var name: String
        /// The requested role. The device gets the role of the window if that one is lower.
        package var want: Role?
        package var code: Code
        package var nonce: [UInt8]
        package var ya: [UInt8]

        package init(name: String, want: Role? = nil, code: Code = .pin, nonce: [UInt8], ya: [UInt8]) {
            self.name = name
            self.want = want
            self.code = code
            self.nonce = nonce
            self.ya = ya
        }
    }

    package struct Welcome: Equatable, Sendable {
        package var tb: [UInt8]
        package var device: DeviceID
        package var wrappedKey: [UInt8]
        package var role: Role

        package init(tb: [UInt8], device: DeviceID, wrappedKey: [UInt8], role: Role) {
            self.tb = tb
            self.device = device
            self.wrappedKey = wrappedKey
            self.role = role
        }
    }
}
