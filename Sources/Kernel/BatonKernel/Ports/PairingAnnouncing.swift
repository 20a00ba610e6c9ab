package import BatonSeams

/// Announces on the network whether a device can be paired. It is a part of the program and outlives the hub.
@Loop
package protocol PairingAnnouncing: AnyObject {
    func pairingChanged(isOpen: Bool)
}
