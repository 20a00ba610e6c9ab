public import BatonCore

/// The answer to `hub.info`: what anybody asks first.
public struct HubInfo: Equatable, Sendable {
    public var id: String
    public var name: String
    public var version: String
    /// The majors of the protocol it speaks.
    public var majors: [Int]
    public var epoch: String
    public var boot: String
    public var upMs: Int
    public var rooms: [RoomID]
    public var connections: Int
    /// Where its web remote can be opened.
    public var pages: [String]
    /// The hub's wall clock, in milliseconds since 1970.
    public var wallMs: Int64?
    /// What it stands on; `nil` from a hub that does not say.
    public var diagnostics: HubDiagnostics?

    package init(
        id: String, name: String, version: String, majors: [Int] = [1], epoch: String, boot: String, upMs: Int, rooms: [RoomID],
        connections: Int, pages: [String] = [], wallMs: Int64? = nil, diagnostics: HubDiagnostics? = nil
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.majors = majors
        self.epoch = epoch
        self.boot = boot
        self.upMs = upMs
        self.rooms = rooms
        self.connections = connections
        self.pages = pages
        self.wallMs = wallMs
        self.diagnostics = diagnostics
    }

    package func encode(into writer: inout JSONWriter) {
        writer.object { info in
            info.member("id", id)
            info.member("name", name)
            info.member("version", version)
            info.member("v", array: { list in for major in majors { list.int(major) } })
            info.member("epoch", epoch)
            info.member("boot", boot)
            info.member("upMs", upMs)
            info.member("rooms", rooms.map(\.text))
            info.member("connections", connections)
            info.member("pages", pages)
            info.member("wallMs", ifPresent: wallMs)
            if let diagnostics {
                info.name("house")
                diagnostics.encode(into: &info)
            }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        guard case .object(let object) = value else { throw ProtocolFault(.badRequest, "d must be an object.", at: "/d") }
        let fields = Fields(object, path: "/d")
        id = try fields.required("id", fields.text("id"))
        name = try fields.required("name", fields.text("name"))
        version = try fields.required("version", fields.text("version"))
        majors = try fields.list("v", count: 0...Int.max, of: "a version") { $0.int.map { Int($0) } } ?? []
        epoch = try fields.text("epoch") ?? ""
        boot = try fields.text("boot") ?? ""
        upMs = try fields.count("upMs") ?? 0
        rooms = try fields.texts("rooms")?.map(RoomID.init) ?? []
        connections = try fields.count("connections") ?? 0
        pages = try fields.texts("pages") ?? []
        wallMs = try fields.int64("wallMs")
        diagnostics = try fields.fields("house").map { (fields) throws(ProtocolFault) in try HubDiagnostics(from: fields) }
    }
}
