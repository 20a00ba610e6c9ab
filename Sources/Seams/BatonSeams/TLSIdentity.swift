/// What a TLS server shows of itself: certificates and the key that goes with them, in DER.
///
/// Made where keys are kept and used where sockets are; nobody else needs to look inside.
package struct TLSIdentity: Sendable {
    package var certificate: [UInt8]
    /// Whoever vouches for the certificate, nearest first.
    package var chain: [[UInt8]]
    package var privateKey: [UInt8]

    package init(certificate: [UInt8], chain: [[UInt8]], privateKey: [UInt8]) {
        self.certificate = certificate
        self.chain = chain
        self.privateKey = privateKey
    }
}
