/// What a TLS server shows of itself: certificates and the key that goes with them, in DER.
///
/// Made where keys are kept and used where sockets are; no other part needs to look inside.
package struct TLSIdentity: Sendable {
    package var certificate: [UInt8]
    /// The certificates that vouch for it, nearest first.
    package var chain: [[UInt8]]
    package var privateKey: [UInt8]

    package init(certificate: [UInt8], chain: [[UInt8]], privateKey: [UInt8]) {
        self.certificate = certificate
        self.chain = chain
        self.privateKey = privateKey
    }
}
