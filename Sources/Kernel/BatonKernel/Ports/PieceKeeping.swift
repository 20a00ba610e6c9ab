package import BatonSeams

/// Keeps pieces of music that were made. They are on the disk already, so a wish for a copy of one is passed on, and they stand in the same list
/// as copies.
@Loop
package protocol PieceKeeping: AnyObject {
    var kept: KeptPieces { get }
    /// False when it was so already.
    func setKept(_ id: String, _ isOn: Bool) async throws(SourceFault) -> Bool
}
