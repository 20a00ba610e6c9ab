/// Accounts at servers, without their secrets.
package import BatonSeams
import SQLite

extension SourceStore: AccountStorage {
    package func accounts() throws(SourceFault) -> [SourceAccount] {
        try look { sources throws(SourceFault) in
            try sources.all("SELECT name, title, kind, url, is_enabled, options FROM account ORDER BY place") { row in
                SourceAccount(
                    name: row.text(0), title: row.text(1), kind: row.text(2), url: row.text(3), isEnabled: row.flag(4),
                    options: Self.options(packed: row.blob(5)))
            }
        }
    }

    package func store(_ account: SourceAccount) throws(SourceFault) {
        try change { sources throws(SourceFault) in
            try sources.run(
                """
                INSERT INTO account (name, title, kind, url, is_enabled, options, place)
                    VALUES (?, ?, ?, ?, ?, ?, (SELECT coalesce(max(place) + 1, 0) FROM account))
                ON CONFLICT (name) DO UPDATE SET
                    title = excluded.title, kind = excluded.kind, url = excluded.url, is_enabled = excluded.is_enabled,
                    options = excluded.options
                """,
                [
                    .text(account.name), .text(account.title), .text(account.kind), .text(account.url), .flag(account.isEnabled),
                    .blob(Self.packed(account.options)),
                ])
        }
    }

    package func remove(_ name: String) throws(SourceFault) {
        try change { sources throws(SourceFault) in try sources.run("DELETE FROM account WHERE name = ?", [.text(name)]) }
        try forget(name)
    }

    private static func packed(_ options: [String: String]) -> [UInt8] {
        var packer = Packer()
        packer.put(options.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] })
        return packer.bytes
    }

    private static func options(packed: [UInt8]) -> [String: String] {
        var unpacker = Unpacker(packed)
        let texts = unpacker.texts() ?? []
        return Dictionary(
            stride(from: 0, to: texts.count - 1, by: 2).map { (texts[$0], texts[$0 + 1]) }, uniquingKeysWith: { first, _ in first })
    }
}
