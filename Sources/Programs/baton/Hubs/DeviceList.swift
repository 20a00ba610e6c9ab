import BatonClient
import BatonProtocol
import BatonWire

/// Who is paired with a hub, as `dev.list` tells an admin.
struct DeviceList: Equatable, Sendable {
    var list: [ListedDevice]
    /// Too many wrong codes were tried.
    var isLocked: Bool

    init(_ answer: JSON) {
        isLocked = answer["locked"]?.bool == true
        list = (answer["list"]?.array ?? []).map { entry in
            ListedDevice(
                id: entry["dev"]?.string ?? "", name: entry["name"]?.string ?? "", role: entry["role"]?.string ?? "",
                kind: entry["kind"]?.string ?? "", connections: Int(entry["open"]?.int ?? 0), seenMs: entry["seenMs"]?.int ?? 0,
                expiresMs: entry["expiresMs"]?.int)
        }
    }
}

extension SteadyHub {
    /// All of `dev.list`, page by page.
    func deviceList() async throws -> JSON {
        var whole = JSONObject()
        var list: [JSON] = []
        repeat {
            let answer = try await command("dev.list", ["from": .int(Int64(list.count))]).data ?? .null
            let page = answer["list"]?.array ?? []
            list += page
            if case .object(let object) = answer { whole = object }
            if answer["more"] == nil || page.isEmpty { break }
        } while true
        whole["list"] = .array(list)
        whole["more"] = nil
        return .object(whole)
    }
}

struct ListedDevice: Equatable, Sendable {
    let id: String
    let name: String
    let role: String
    let kind: String
    let connections: Int
    let seenMs: Int64
    /// When it has to go.
    let expiresMs: Int64?

    func line(nowMs: Int64) -> String { "\(id)\t\(name)\t\(role)\t\(kind)\t\(seen(nowMs: nowMs))" }

    func seen(nowMs: Int64) -> String { connections > 0 ? "here now" : "seen \(Self.ago((nowMs - seenMs) / 1000))" }

    private static func ago(_ seconds: Int64) -> String {
        switch seconds {
        case ..<90: "a moment ago"
        case ..<5_400: "\(seconds / 60) minutes ago"
        case ..<172_800: "\(seconds / 3600) hours ago"
        default: "\(seconds / 86_400) days ago"
        }
    }
}
