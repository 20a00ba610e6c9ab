import BatonCore
package import BatonProtocol

/// The JSON form of `HubInfo`.
extension HubInfo {
    /// Writes the facts. A short message has no diagnostics, no addresses and no time of day, and the shortest no profiles.
    package func encode(into writer: inout JSONWriter, bytes most: Int) {
        let end = min(writer.count + most, writer.end(leaving: 24))
        writer.object { info in
            info.member("id", id)
            info.member("name", info.shown(name, DisplayText(bytes: .max)))
            info.member("version", version)
            info.member("core", core)
            if !info.bounds.isMinimal { info.member("features", features) }
            info.member("epoch", epoch)
            info.member("boot", boot)
            info.member("upMs", upMs)
            if !rooms.isEmpty { _ = info.member("rooms", rooms, upTo: info.end(leaving: 64)) { $1.string($0.text) } }
            if connections != 0 { info.member("connections", connections) }
            if !pages.isEmpty, !info.bounds.isTerse { info.member("pages", pages) }
            if !info.bounds.isTerse { info.member("wallMs", ifPresent: wallMs) }
            if let diagnostics, !info.bounds.isTerse {
                info.member("house", object: diagnostics.encodeMembers)
            }
            guard !problems.isEmpty else { return info.member("problems", [String]()) }
            let written = info.member("problems", problems, upTo: end, atLeast: 1) { each, w in w.object(each.encodeMembers) }
            let left = (more ?? 0) + problems.count - written
            if left > 0 { info.member("more", left) }
        }
    }
}
