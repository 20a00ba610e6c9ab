public import BatonCore

/// Commands about access: pairing windows, paired devices, and the one-time link of the hub's own machine.
public enum DeviceRequest: Equatable, Sendable {
    /// `forMs` is how long a device that pairs in this window may stay; for ever without it.
    case open(role: Role, ttlMs: Int, forMs: Int?)
    case close
    case list(from: Int)
    case setRole(DeviceID, Role, Guests)
    case rename(DeviceID, String)
    /// Whose places its listening moves.
    case setPerson(DeviceID, Person)
    case revoke(DeviceID)
    /// A new key for the device that asks.
    case rotate
    case ticket

    /// The limits that an admin may give to a guest.
    public struct Guests: Equatable, Sendable {
        /// The levels between which a guest may turn the volume.
        package var span: ClosedRange<Int>?
        /// How long from now the guest may stay.
        package var forMs: Int?

        package init(span: ClosedRange<Int>? = nil, forMs: Int? = nil) {
            self.span = span
            self.forMs = forMs
        }
    }
}
