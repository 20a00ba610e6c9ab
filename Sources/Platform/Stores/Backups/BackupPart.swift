/// The parts of a backup, and their places in the data folder. Any other name in an archive is refused, so an archive cannot choose a path.
enum BackupPart: Equatable {
    /// A store. SQLite copies it, so that the copy is a snapshot.
    case database
    /// The hub's id, and the workers that were added.
    case plain
    /// Keys of the hub and its devices, secrets of accounts at servers, tokens of workers.
    case secret
    /// Music that was generated from prompts.
    case generated

    static let databases = ["state.db", "library.db", "sources.db", "users.db", "gen.db", "kept.db", "dialects.db"]
    static let hubID = "hub-id"
    static let workers = "workers/workers.conf"

    /// `nil` for a name that is not a part of a backup.
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

    /// True for a plain file name without a path; names that begin with a dot are unfinished files.
    private static func isPlain(_ word: Substring) -> Bool {
        1...100 ~= word.utf8.count && !word.hasPrefix(".") && !word.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }
    }

    /// Files and folders that are exchanged as a whole when a backup replaces the data.
    static func units(withSecrets: Bool) -> [String] {
        databases + [hubID, "generated"] + (withSecrets ? ["keys", "sources", "workers"] : [workers])
    }
}
