import BatonCore
import BatonProtocol

/// How `DeviceRequest` is read from JSON.
extension DeviceRequest {
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
