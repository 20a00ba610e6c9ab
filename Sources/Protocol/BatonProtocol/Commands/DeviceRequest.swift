/// Commands about who may come in: pairing windows, devices, and the one-time link of the hub's own machine.
package enum DeviceRequest: Equatable, Sendable {
    /// `forMs` is how long a device that pairs in this window may stay; for ever without it.
    case open(role: Role, ttlMs: Int, forMs: Int?)
    case close
    case list(from: Int)
    case setRole(DeviceID, Role, Guests)
    case rename(DeviceID, String)
    case revoke(DeviceID)
    /// A new key for the device that asks.
    case rotate
    case ticket

    /// What an owner may say about a guest.
    package struct Guests: Equatable, Sendable {
        /// The levels between which a guest may turn the volume.
        package var span: ClosedRange<Int>?
        /// How long from now.
        package var forMs: Int?

        package init(span: ClosedRange<Int>? = nil, forMs: Int? = nil) {
            self.span = span
            self.forMs = forMs
        }
    }

    package static let windowMs = 10_000...300_000
    package static let usualWindowMs = 120_000
    /// From a minute to a year.
    package static let stayMs = 60_000...31_536_000_000

    static func decode(_ kind: RequestKind, _ p: Fields) throws(ProtocolFault) -> DeviceRequest? {
        switch kind {
        case .pairOpen:
            .open(
                role: try p.choice("role") ?? .remote, ttlMs: try p.int("ttlMs", in: windowMs) ?? usualWindowMs,
                forMs: try p.int("forMs", in: stayMs))
        case .pairClose: .close
        case .deviceList: .list(from: try p.int("from", in: 0...1_000_000) ?? 0)
        case .deviceRole:
            .setRole(
                try p.required("dev", p.device("dev")), try p.required("role", p.choice("role")),
                Guests(span: try p.span("span"), forMs: try p.int("forMs", in: stayMs)))
        case .deviceRename: .rename(try p.required("dev", p.device("dev")), try p.required("name", p.string("name", bytes: 1...64)))
        case .deviceRevoke: .revoke(try p.required("dev", p.device("dev")))
        case .deviceRotate: .rotate
        case .hubTicket: .ticket
        default: nil
        }
    }
}

extension Fields {
    /// `[from, to]`, both levels.
    func span(_ name: String) throws(ProtocolFault) -> ClosedRange<Int>? {
        guard let levels = try list(name, count: 2...2, of: "a level from 0 to 100", { $0.int.flatMap { 0...100 ~= $0 ? Int($0) : nil } })
        else { return nil }
        guard levels[0] <= levels[1] else { throw fault(name, "\(name) must not end before it begins.") }
        return levels[0]...levels[1]
    }
}
