package import BatonPairing
package import BatonProtocol

/// The devices that may connect from elsewhere, as a dialect lets them prove themselves and be paired.
@Loop
package protocol DeviceAccess: AnyObject {
    var cryptography: any Cryptography { get }
    /// SHA-256 of the hub's public key.
    var hubKey: [UInt8] { get }
    var wallMs: @Sendable () -> Int64 { get }

    // MARK: Proving

    /// Whether a connection from there is worth the handshake of TLS.
    func receives(_ address: String) -> Bool
    /// Wrong keys are slowed down before anything is computed for them.
    func mayTry(_ id: DeviceID?, from address: String) throws(ProtocolFault)
    /// A key was wrong. `shown` is the key itself, where the same one may come again and again.
    func failed(_ id: DeviceID?, from address: String, showing shown: String?)
    /// The device that has proved itself, with the key it used.
    func authenticate(_ asked: Authentication, _ proof: DeviceProof) throws(ProtocolFault) -> (device: Device, key: [UInt8])
    func device(withBearer text: String) -> Device?
    func browser(withCookie text: String) -> Device?
    func saw(_ id: DeviceID)
    /// Whether this client may be admin by this one-time link, now and when it comes back.
    func admits(_ client: String, with ticket: String) -> Bool

    // MARK: Pairing

    var window: OpenPairing? { get }
    /// Lets the holder try a code, or says why not now. Nothing is counted yet.
    func beginAttempt(_ holder: Int) throws(ProtocolFault) -> OpenPairing
    /// Nothing was given away, so nothing was tried.
    func withdrawAttempt(_ holder: Int)
    /// Counts the attempt; to be called before anything is given away.
    func countAttempt(_ holder: Int) throws(ProtocolFault)
    /// The code was wrong, or the connection was dropped.
    func failAttempt(_ holder: Int)
    /// Pairs the holder of the attempt; its key, or its cookie, counts from here on.
    func admit(
        _ holder: Int, name: String, role: Role, as proof: Device.Proof, _ window: OpenPairing
    ) throws(ProtocolFault) -> Device
    func revoke(_ id: DeviceID) throws(ProtocolFault)
}
