package import BatonCore
package import BatonSeams

/// The item that `play` starts in a room with an empty queue. It is read when play is pressed, since there may be music by
/// then.
@Loop
package protocol WelcomeMusic: AnyObject {
    /// The item to start; `nil` if there is no music yet.
    var welcome: ItemURI? { get }
}
