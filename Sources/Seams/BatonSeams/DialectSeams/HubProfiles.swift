/// A profile of the protocol that a hub may have beside Core, by the name in `Protocol/levels.json`.
package enum HubProfile: String, CaseIterable, Sendable {
    case network, rooms, sound, people, history, library, playlists, radio, podcasts, books, servers, copies, making, clips
    case listening, streams, joining, admin, watch

    /// The version in which this hub has it.
    package var version: Int { self == .admin ? 2 : 1 }

    /// The two letters by which the network announcement names it.
    package var code: String { self == .listening ? "ls" : String(rawValue.prefix(2)) }

    /// The profiles without which it is not whole.
    package var needs: Set<HubProfile> {
        switch self {
        case .playlists, .podcasts, .servers, .copies: [.library]
        case .books: [.library, .sound]
        case .clips: [.making]
        case .listening: [.library, .people]
        case .joining: [.servers]
        default: []
        }
    }
}

/// The profiles that a hub has. They do not change while it runs, so that each client may rely on what it was told.
package struct HubProfiles: Equatable, Sendable {
    /// The profiles, sorted by name.
    package let all: [HubProfile]

    /// The profiles among these that are whole: one that needs a missing profile is missing too.
    package init(_ claimed: Set<HubProfile>) {
        var whole = claimed
        while let broken = whole.first(where: { !$0.needs.isSubset(of: whole) }) { whole.remove(broken) }
        all = whole.sorted { $0.rawValue < $1.rawValue }
    }

    package static let every = HubProfiles(Set(HubProfile.allCases))

    /// Whether the hub has what a definition says of its level; it always has Core.
    package func has(level: String) -> Bool { level == "core" || all.contains { $0.rawValue == level } }

    /// The profiles with their versions, as `welcome.features` lists them. A client that names the profiles which it knows gets only those.
    package func features(knownTo client: [String]? = nil) -> [String] {
        let known = client.map { names in all.filter { names.contains($0.rawValue) } } ?? all
        return known.map { "\($0.rawValue)@\($0.version)" }
    }

    /// The profiles by their codes, each with its version from 2 on, as the network announcement lists them.
    package var codes: [String] { all.map { $0.version > 1 ? "\($0.code)\($0.version)" : $0.code }.sorted() }
}
