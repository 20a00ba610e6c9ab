/// Sappho as a kind of account: the settings it needs, and how its connector is created.
package import BatonSeams

package enum SapphoKind {
    package static let kind = SourceKind(
        name: "sappho", title: "Sappho (audiobooks)", missing: missing,
        make: { account, secrets, parts throws(SourceFault) in try SapphoConnector(account, secrets: secrets, parts: parts) })

    @Sendable
    static func missing(_ secrets: SourceSecrets) -> String? {
        if let key = secrets.apiKey, !key.isEmpty { return nil }
        if secrets.user?.isEmpty ?? true { return "A Sappho account needs an API key, or a user name and a password." }
        return secrets.password == nil ? "A Sappho account needs the password of its user, or an API key." : nil
    }
}
