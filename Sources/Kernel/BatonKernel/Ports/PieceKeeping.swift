package import BatonSeams

/// Keeps generated pieces of music. They are on disk already, so a wish to keep one is passed on, and they are in the same
/// list as copies.
@Loop
package protocol PieceKeeping: AnyObject {
    /// The kept pieces and their states, which need no wait.
    var kept: KeptPieces { get }
    /// Sets the state. False when nothing changed.
    func setKept(_ id: String, _ isOn: Bool) async throws(SourceFault) -> Bool
}
