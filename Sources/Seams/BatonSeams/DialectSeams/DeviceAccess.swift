package import BatonCore
package import BatonProtocol

/// The devices that may connect from elsewhere, for dialects that authenticate and pair them.
@Loop
package protocol DeviceAccess: AnyObject {
    var cryptography: any Cryptography { get }
    /// SHA-256 of the hub's public key.
    var hubKey: [UInt8] { get }
    var wallMs: @Sendable () -> Milliseconds { get }

    // MARK: Proving

    /// False for an address whose connections are not worth a TLS handshake.
    func receives(_ address: String) -> Bool
    /// Throws when tries are too frequent, so that wrong keys are slowed down before any computation.
    func mayTry(_ id: DeviceID?, from address: String) throws(ProtocolFault)
    /// Notes a wrong key. `shown` is the key itself, where the same one may come again and again.
    func failed(_ id: DeviceID?, from address: String, showing shown: String?)
    /// The device that has proved itself, and the key that it used.
    func authenticate(_ asked: Authentication, _ proof: DeviceProof) throws(ProtocolFault) -> (device: Device, key: [UInt8])
    /// The device whose id and key a request shows over HTTP; `nil` for a wrong key, and for a browser.
    func device(withBearer text: String) -> Device?
    /// The browser that was given this cookie; `nil` when its access has ended.
    func browser(withCookie text: String) -> Device?
    /// Notes that a device was active, which is stored within a minute.
    func noteActivity(of id: DeviceID)
    /// True when this client may be admin by this one-time link, now and when it comes back.
    func admits(_ client: String, with ticket: String) -> Bool

    // MARK: Pairing

    /// The pairing window; `nil` while none is open.
    var window: OpenPairing? { get }
    /// Lets the holder try a code, or throws why not now. Nothing is counted yet.
    func beginAttempt(_ holder: Int) throws(ProtocolFault) -> OpenPairing
    /// Withdraws an attempt that revealed nothing and so does not count.
    func withdrawAttempt(_ holder: Int)
    /// Counts the attempt; must be called before anything is revealed.
    func countAttempt(_ holder: Int) throws(ProtocolFault)
    /// Ends an attempt with a wrong code, or on a dropped connection.
    func failAttempt(_ holder: Int)
    /// Pairs the holder of the attempt; its key or cookie is valid from now on.
    func admit(
        _ holder: Int, name: String, role: Role, as proof: Device.Proof, _ window: OpenPairing
    ) throws(ProtocolFault) -> Device
    /// Removes a device for good and ends its connections.
    func revoke(_ id: DeviceID) throws(ProtocolFault)
}
