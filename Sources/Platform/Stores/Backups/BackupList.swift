/// The first file of a backup: its hub, and the length and SHA-256 of each part that follows.
package import BatonCore
import BatonJSON
import BatonSeams

package struct BackupList: Equatable, Sendable {
    struct Part: Equatable, Sendable {
        var name: String
        var bytes: Int64
        var sha256: String
    }

    /// Secrets that the backup omits, by the names of users, sources, workers and passwords of dialects that need them again.
    package struct LeftOut: Equatable, Sendable {
        package var users: [String] = []
        package var sources: [String] = []
        package var workers: [String] = []
        /// Each as `DIALECT/NAME`.
        package var passwords: [String] = []
    }

    /// The version of this format. A hub refuses higher ones.
    static let format = 1
    static let fileName = "baton-backup.json"
    static let mostBytes = 16 << 20

    package var hub: String
    package var name: String
    package var version: String
    package var madeMs: Milliseconds
    package var hasSecrets: Bool
    package var leftOut = LeftOut()
    var parts: [Part] = []

    package init(hub: String, name: String, version: String, madeMs: Milliseconds, hasSecrets: Bool) {
        self.hub = hub
        self.name = name
        self.version = version
        self.madeMs = madeMs
        self.hasSecrets = hasSecrets
    }

    var encoded: [UInt8] {
        func list(_ texts: [String]) -> String { "[" + texts.map(JSONText.string).joined(separator: ",") + "]" }
        let rows = parts.map { "{\"name\":\(JSONText.string($0.name)),\"bytes\":\($0.bytes),\"sha256\":\(JSONText.string($0.sha256))}" }
        return Array(
            """
            {"format":\(Self.format),"hub":\(JSONText.string(hub)),"name":\(JSONText.string(name)),"version":\(JSONText.string(version)),
             "madeMs":\(madeMs),"secrets":\(hasSecrets),
             "leftOut":{"users":\(list(leftOut.users)),"sources":\(list(leftOut.sources)),"workers":\(list(leftOut.workers)),
              "passwords":\(list(leftOut.passwords))},
             "parts":[
              \(rows.joined(separator: ",\n  "))]}

            """.utf8)
    }

    init(_ bytes: [UInt8]) throws(SourceFault) {
        var limits = JSONLimits()
        limits.elements = 1 << 20
        guard let json = try? JSON.parse(bytes, limits: limits), let format = json["format"]?.int else { throw Self.damaged }
        guard format <= Self.format else {
            let version = json["version"]?.string ?? "a newer one"
            throw SourceFault(
                .unsupported,
                "The backup has the form \(format), of Baton \(version), and this hub reads forms up to \(Self.format). Install the newer package first; nothing was changed."
            )
        }
        guard format > 0, let hub = json["hub"]?.string, let name = json["name"]?.string, let version = json["version"]?.string,
            let madeMs = json["madeMs"]?.int, let hasSecrets = json["secrets"]?.bool, let rows = json["parts"]?.array
        else { throw Self.damaged }
        self.init(hub: hub, name: name, version: version, madeMs: Milliseconds(madeMs), hasSecrets: hasSecrets)
        func texts(_ name: String) -> [String] { json["leftOut"]?[name]?.array?.compactMap(\.string) ?? [] }
        leftOut = LeftOut(users: texts("users"), sources: texts("sources"), workers: texts("workers"), passwords: texts("passwords"))
        for row in rows {
            guard let name = row["name"]?.string, let bytes = row["bytes"]?.int, let sha256 = row["sha256"]?.string, bytes >= 0 else {
                throw Self.damaged
            }
            parts.append(Part(name: name, bytes: bytes, sha256: sha256))
        }
        guard Set(parts.map(\.name)).count == parts.count else { throw Self.damaged }
    }

    static let damaged = SourceFault(.unreadable, "The file is damaged, or it is no backup of Baton; nothing was changed.")
}
