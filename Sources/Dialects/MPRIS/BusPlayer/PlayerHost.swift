/// The questions of a player to the hub behind it: the dialect has the hub in its own process, and `baton mpris` reaches one by the network.
package import BatonCore
import BatonProtocol
package import BatonSeams

@Loop
package protocol PlayerHost: AnyObject {
    /// A moment of the hub's clock.
    var nowUs: Microseconds { get }
    /// Carries out a press. `answer` is called once, after the player was shown what the press has changed.
    func take(_ press: PlayerPress, named name: String, from caller: BusCaller, answer: @escaping @Loop (BusFault?) -> Void)
    /// The first playlists; `most` is enough for any desktop.
    func playlists(most: Int, from caller: BusCaller?, answer: @escaping @Loop (Result<[PlaylistRow], BusFault>) -> Void)
    /// Called when a program that has pressed something has left the bus.
    func left(_ caller: BusCaller)
    /// Called when the player is seen on the bus, or not any more.
    func connectionChanged(to state: BusState)
}
