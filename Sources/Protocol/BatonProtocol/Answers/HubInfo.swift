public import BatonCore

/// The answer to `hub.info`: the name and version of the hub, and its diagnostics.
public struct HubInfo: Equatable, Sendable {
    public var id: String
    public var name: String
    public var version: String
    /// Major versions of the protocol that it supports.
    public var majors: [Int]
    public var epoch: String
    public var boot: String
    public var upMs: Int
    public var rooms: [RoomID]
    public var connections: Int
    /// Addresses of its web remote.
    public var pages: [String]
    /// The hub's wall clock, in milliseconds since 1970.
    public var wallMs: Int64?
    /// Details for people who look for a fault; `nil` from a hub that does not send them.
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
}
