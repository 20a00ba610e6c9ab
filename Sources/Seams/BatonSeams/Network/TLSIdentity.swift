/// The identity of a TLS server: certificates and the private key, in DER.
///
/// It comes from the key store and is used by the sockets; no other part needs to look inside.
package struct TLSIdentity: Sendable {
    /// The certificate of the hub.
    package var certificate: [UInt8]
    /// The certificates that sign it, nearest first.
    package var chain: [[UInt8]]
    /// The key in DER, which must reach no log.
    package var privateKey: [UInt8]

    package init(certificate: [UInt8], chain: [[UInt8]], privateKey: [UInt8]) {
        self.certificate = certificate
        self.chain = chain
        self.privateKey = privateKey
    }
}
