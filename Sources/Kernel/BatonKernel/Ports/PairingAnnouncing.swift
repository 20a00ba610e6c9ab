package import BatonSeams

/// Tells the network whether a device can be paired. It is a part of the program, which outlives the hub.
@Loop
package protocol PairingAnnouncing: AnyObject {
    func pairingChanged(isOpen: Bool)
}
