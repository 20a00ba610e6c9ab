/// The condition of a hub, as `hub.info` tells an admin who looks for a fault: its listeners, its announcement, its journal,
/// its sound and its limits.
public struct HubDiagnostics: Equatable, Sendable {
    /// As `--hub` takes them; the socket is told to `admin` alone.
    public var listen: [String]
    /// What other machines may do: `off`, or a role.
    public var lanPlain: String
    public var discovery: Discovery
    public var journal: Journal
    public var audio: Audio
    public var limits: Limits
    /// `nil` where there is no encrypted port.
    public var certificate: Certificate?
    public var library: Library?
    /// Told to `admin` alone.
    public var memory: Memory?

    package init(
        listen: [String], lanPlain: String, discovery: Discovery, journal: Journal, audio: Audio, limits: Limits,
        certificate: Certificate? = nil, library: Library? = nil, memory: Memory? = nil
    ) {
        self.listen = listen
        self.lanPlain = lanPlain
        self.discovery = discovery
        self.journal = journal
        self.audio = audio
        self.limits = limits
        self.certificate = certificate
        self.library = library
        self.memory = memory
    }

    /// The same without paths and other details for admins.
    package var withoutPlaces: HubDiagnostics {
        var copy = self
        copy.journal.path = nil
        copy.library = library?.withoutPlaces
        copy.memory = nil
        copy.listen.removeAll { $0.hasPrefix("unix:") }
        return copy
    }
}
