/// MusicRoom as a kind of account: the settings it needs, and how its connector is created.
package import BatonSeams

package enum MusicRoomKind {
    package static let kind = SourceKind(
        name: "musicroom", title: "MusicRoom (shared rooms)", missing: missing,
        make: { account, secrets, parts throws(SourceFault) in try MusicRoom(account, secrets: secrets, parts: parts) })

    /// The missing secret. The stored key is the session from signing in.
    @Sendable
    static func missing(_ secrets: SourceSecrets) -> String? {
        if let session = secrets.apiKey, !session.isEmpty { return nil }
        if secrets.user?.isEmpty ?? true { return "A MusicRoom account needs a user name and a password." }
        return secrets.password == nil ? "A MusicRoom account needs the password of its user." : nil
    }
}
