/// What a backup may hold, and where each part of it lies in the data folder. A name in an archive that is none of these is refused,
/// so no archive chooses a path.
enum BackupPart: Equatable {
    /// A store. It is copied by SQLite, so that it is as it was at one moment.
    case database
    /// The hub's id, and the workers that were added.
    case plain
    /// Keys of the hub and its devices, secrets of accounts at servers, tokens of workers.
    case secret
    /// What was made from prompts.
    case generated

    static let databases = ["state.db", "library.db", "sources.db", "users.db", "gen.db", "kept.db"]
    static let hubID = "hub-id"
    static let workers = "workers/workers.conf"

    /// `nil` for a name that belongs to no part.
    init?(named name: String) {
        if Self.databases.contains(name) {
            self = .database
            return
        }
        if name == Self.hubID || name == Self.workers {
            self = .plain
            return
        }
        let words = name.split(separator: "/", omittingEmptySubsequences: false)
        guard words.allSatisfy({ Self.isPlain($0) }) else { return nil }
        switch (words.first, words.count) {
        case ("keys", 2): self = .secret
        case ("sources", 2) where words[1].hasSuffix(".secret"): self = .secret
        case ("workers", 2) where words[1].hasSuffix(".token"): self = .secret
        case ("generated", 3): self = .generated
        default: return nil
        }
    }

    /// A name of a file without a way elsewhere; those with a dot in front are unfinished ones.
    private static func isPlain(_ word: Substring) -> Bool {
        1...100 ~= word.utf8.count && !word.hasPrefix(".") && !word.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }
    }

    /// What is exchanged as a whole when a backup takes the place of the data: the files and folders that hold parts of it.
    static func units(withSecrets: Bool) -> [String] {
        databases + [hubID, "generated"] + (withSecrets ? ["keys", "sources", "workers"] : [workers])
    }
}
