public import BatonProtocol

/// The profiles of the protocol that a hub has beside Core. A program offers only what they bring.
public struct HubFeatures: Equatable, Sendable {
    private let versions: [String: Int]

    /// Reads the names with their versions, such as `radio@1`, as `welcome` and `hub.info` list them. A name without a version is skipped.
    public init(_ names: [String]) {
        versions = names.reduce(into: [:]) { versions, name in
            let parts = name.split(separator: "@")
            if parts.count == 2, let version = Int(parts[1]) { versions[String(parts[0])] = version }
        }
    }

    /// The names of the profiles, sorted.
    public var profiles: [String] { versions.keys.sorted() }

    /// Whether the hub has this profile, in this version or a later one. It always has `core`.
    public func has(_ profile: String, version: Int = 1) -> Bool { profile == "core" || versions[profile].map { $0 >= version } == true }

    /// Whether the hub has the profile that this command is of.
    public func has(_ command: CommandKind) -> Bool { has(command.level) }
}

/// The refusal of a command that the hub does not know, since it lacks the profile or is older than the profile.
public struct MissingProfile: Error, Equatable, Sendable {
    /// The command that the hub did not know.
    public var command: CommandKind

    /// A refusal, as a test or a program of its own makes it.
    public init(command: CommandKind) { self.command = command }

    /// The profile that the command is of.
    public var profile: String { command.level }
    /// The text for people, which names the command and the profile as the protocol does.
    public var sentence: String { "This hub does not know “\(command.rawValue)”: it lacks the profile “\(profile)”." }
}
