/// MusicRoom as a kind of account: what one needs, and how its connector is made.
package import BatonSeams

package enum MusicRoomKind {
    package static let kind = SourceKind(
        name: "musicroom", title: "MusicRoom (shared rooms)", missing: missing,
        make: { account, secrets, parts throws(SourceFault) in try MusicRoom(account, secrets, parts) })

    /// The key that is kept is the session that signing in brought.
    @Sendable
    static func missing(_ secrets: SourceSecrets) -> String? {
        if let session = secrets.apiKey, !session.isEmpty { return nil }
        if secrets.user?.isEmpty ?? true { return "A MusicRoom account needs a user name and a password." }
        return secrets.password == nil ? "A MusicRoom account needs the password of its user." : nil
    }
}
