package import BatonCore
package import BatonSeams

/// Knows the item that play means in a room whose queue is empty. It is asked when play is pressed, since there may be music by then.
@Loop
package protocol WelcomeMusic: AnyObject {
    var welcome: ItemURI? { get }
}
