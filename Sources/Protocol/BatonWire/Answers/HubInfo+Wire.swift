import BatonCore
package import BatonProtocol

/// The JSON form of `HubInfo`.
extension HubInfo {
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
                info.name("house")
                diagnostics.encode(into: &info)
            }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        guard case .object(let object) = value else { throw ProtocolFault(.badRequest, "d must be an object.", at: "/d") }
        let fields = Fields(object, path: "/d")
        self.init(
            id: try fields.required("id", fields.text("id")),
            name: try fields.required("name", fields.text("name")),
            version: try fields.required("version", fields.text("version")),
            majors: try fields.list("v", count: 0...Int.max, of: "a version") { $0.int.map { Int($0) } } ?? [],
            epoch: try fields.text("epoch") ?? "",
            boot: try fields.text("boot") ?? "",
            upMs: try fields.count("upMs") ?? 0,
            rooms: try fields.texts("rooms")?.map(RoomID.init) ?? [],
            connections: try fields.count("connections") ?? 0,
            pages: try fields.texts("pages") ?? [],
            wallMs: try fields.int64("wallMs"),
            diagnostics: try fields.fields("house").map { (fields) throws(ProtocolFault) in try HubDiagnostics(from: fields) })
    }
}
