package import BatonCore
import BatonProtocol
package import BatonSeams

/// Keeps copies of what is wished. Podcasts wish for their newest episodes as people wish for albums, and their command is answered with what came
/// of it.
@Loop
package protocol WishKeeping: AnyObject {
    /// False when it was so already.
    func set(_ wish: KeepWish, _ isOn: Bool) async throws(SourceFault) -> Bool
    /// Other tracks may belong to the wish now.
    func lookAgain(at wish: KeepWish)
}
