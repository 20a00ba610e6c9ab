package import BatonCore
import BatonProtocol
package import BatonSeams

/// Stores copies of wished items. A port, since podcasts wish for their newest episodes as people wish for albums, and their
/// commands need the result.
@Loop
package protocol WishKeeping: AnyObject {
    /// Sets the wish. False when nothing changed.
    func set(_ wish: KeepWish, _ isOn: Bool) async throws(SourceFault) -> Bool
    /// Checks again which tracks belong to the wish.
    func lookAgain(at wish: KeepWish)
}
