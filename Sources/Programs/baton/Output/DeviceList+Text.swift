import BatonCore
import BatonProtocol

/// A paired device as a line for people.
extension DeviceList.Row {
    func line(nowMs: Milliseconds) -> String {
        let owner = person == .home ? "" : "\tof \(person.text)"
        return "\(id)\t\(name)\t\(role.rawValue)\t\(kind)\t\(seen(nowMs: nowMs))\(owner)"
    }

    func seen(nowMs: Milliseconds) -> String { connections > 0 ? "here now" : "seen \(Self.ago((nowMs - seenMs).seconds))" }

    private static func ago(_ seconds: Int64) -> String {
        switch seconds {
        case ..<90: "a moment ago"
        case ..<5_400: "\(seconds / 60) minutes ago"
        case ..<172_800: "\(seconds / 3600) hours ago"
        default: "\(seconds / 86_400) days ago"
        }
    }
}
