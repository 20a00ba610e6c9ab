/// Chad Music as a kind of account: the settings it needs, and how its connector is created.
package import BatonSeams

package enum ChadMusicKind {
    package static let kind = SourceKind(
        name: "chadmusic", title: "Chad Music",
        missing: { secrets in
            secrets.apiKey?.isEmpty == false ? nil : "A Chad Music server asks for an API key."
        },
        make: { (account, secrets, parts) throws(SourceFault) in try ChadMusic(account, secrets: secrets, parts: parts) })
}
