package import BatonSeams

/// Announces on the network whether a device can be paired. It is a part of the program and outlives the hub.
@Loop
package protocol PairingAnnouncing: AnyObject {
    /// Called when a window was opened or closed, whether by a person, by a paired device or because its time is over.
    func pairingChanged(isOpen: Bool)
}
