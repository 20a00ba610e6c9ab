/// The condition of a hub, as `hub.info` reports it to an admin who looks for a fault: listeners, announcement, journal, sound and limits.
public struct HubDiagnostics: Equatable, Sendable {
    /// Addresses in the form of `--hub`; only `admin` gets the socket file.
    public var listen: [String]
    /// Role of unencrypted connections from other machines, or `off`.
    public var lanPlain: String
    public var discovery: Discovery
    public var journal: Journal
    public var audio: Audio
    public var limits: Limits
    /// `nil` if there is no encrypted port.
    public var certificate: Certificate?
    public var library: Library?
    /// Sent to `admin` only.
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

    /// A copy without paths and other details for admins.
    package var withoutPlaces: HubDiagnostics {
        var copy = self
        copy.journal.path = nil
        copy.library = library?.withoutPlaces
        copy.memory = nil
        copy.listen.removeAll { $0.hasPrefix("unix:") }
        return copy
    }
}
