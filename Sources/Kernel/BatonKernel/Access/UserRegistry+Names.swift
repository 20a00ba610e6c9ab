import BatonCore
import BatonSeams

/// Names of users, which count as the same whatever their case, width and marks.
extension UserRegistry {
    /// The key of the user whom a person means by this name, or of a new user. A user of just this name comes before others that are written
    /// differently, since users of an earlier hub may differ by marks alone.
    package func key(of name: String) -> String {
        let exact = name.lowercased()
        return users[exact] == nil ? keysByName[Self.folded(name)]?.first ?? exact : exact
    }

    /// The form of a name in which names are compared. Signs that are no letters stay, so that no name is empty.
    static func folded(_ name: String) -> String {
        var folded = ""
        for character in name {
            let plain = isKana(character) ? "" : Folding.fold(String(character))
            folded += plain.isEmpty ? character.lowercased() : plain
        }
        return folded
    }

    /// Search takes both kinds of kana for one, which are two names.
    private static func isKana(_ character: Character) -> Bool {
        character.unicodeScalars.first.map { (0x3041...0x30FF).contains($0.value) } ?? false
    }

    func noteName(of user: User) {
        let keys = keysByName[Self.folded(user.name)] ?? []
        if !keys.contains(user.key) { keysByName[Self.folded(user.name)] = keys + [user.key] }
    }

    /// Forgets the name of a user who is still there. Users of an earlier hub may share it.
    func forgetName(of key: String) {
        guard let name = users[key]?.user.name else { return }
        let keys = (keysByName[Self.folded(name)] ?? []).filter { $0 != key }
        keysByName[Self.folded(name)] = keys.isEmpty ? nil : keys
    }
}
