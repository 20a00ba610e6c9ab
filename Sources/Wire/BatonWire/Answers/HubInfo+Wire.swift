import BatonCore
package import BatonProtocol

/// The JSON form of `HubInfo`.
extension HubInfo {
    /// Writes the facts. A short message has no diagnostics, no addresses and no time of day.
    package func encode(into writer: inout JSONWriter, bytes _: Int) {
        writer.object { info in
            info.member("id", id)
            info.member("name", info.shown(name, DisplayText(bytes: .max)))
            info.member("version", version)
            info.member("v", array: { list in for major in majors { list.int(major) } })
            info.member("epoch", epoch)
            info.member("boot", boot)
            info.member("upMs", upMs)
            _ = info.member("rooms", rooms, upTo: info.end(leaving: 64)) { $1.string($0.text) }
            info.member("connections", connections)
            info.member("pages", info.bounds.isTerse ? [] : pages)
            if !info.bounds.isTerse { info.member("wallMs", ifPresent: wallMs) }
            if let diagnostics, !info.bounds.isTerse {
                info.member("house", object: diagnostics.encodeMembers)
            }
        }
    }
}
