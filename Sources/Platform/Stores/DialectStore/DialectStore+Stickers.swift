package import BatonSeams
import SQLite

/// Stickers of songs and playlists, as dialects read and write them.
extension DialectStore: StickerStorage {
    package func stickers(of holder: StickerHolder) throws(SourceFault) -> [Sticker] {
        try database.wait { store throws(SourceFault) in
            try store.all("SELECT name, value FROM sticker WHERE kind = ? AND holder = ? ORDER BY name", holder.values) {
                Sticker(name: $0.text(0), value: $0.text(1))
            }
        }
    }

    package func sticker(_ name: String, of holder: StickerHolder) throws(SourceFault) -> String? {
        try database.wait { store throws(SourceFault) in try Self.value(of: name, holder, in: store) }
    }

    @discardableResult
    package func change(
        _ name: String, of holder: StickerHolder, _ change: (String?) throws(SourceFault) -> String?
    ) throws(SourceFault) -> String? {
        try database.wait { store throws(SourceFault) in
            try store.change { () throws(SourceFault) in
                let before = try Self.value(of: name, holder, in: store)
                let after = try change(before)
                switch after {
                case before: break
                case let value?:
                    try store.run("INSERT OR REPLACE INTO sticker VALUES (?, ?, ?, ?)", holder.values + [.text(name), .text(value)])
                case nil: try store.run("DELETE FROM sticker WHERE kind = ? AND holder = ? AND name = ?", holder.values + [.text(name)])
                }
                return before
            }
        }
    }

    package func removeAll(of holder: StickerHolder) throws(SourceFault) -> Bool {
        try database.wait { store throws(SourceFault) in
            try store.change { () throws(SourceFault) in
                try store.run("DELETE FROM sticker WHERE kind = ? AND holder = ?", holder.values) > 0
            }
        }
    }

    package func holders(
        ofKind kind: String, with name: String, after: String?, most: Int
    ) throws(SourceFault) -> [(holder: String, value: String)] {
        try database.wait { store throws(SourceFault) in
            try store.all(
                "SELECT holder, value FROM sticker WHERE name = ? AND kind = ? AND holder > ? ORDER BY holder LIMIT ?",
                [.text(name), .text(kind), .text(after ?? ""), .int(most)]
            ) { (holder: $0.text(0), value: $0.text(1)) }
        }
    }

    package func names() throws(SourceFault) -> [(name: String, kind: String)] {
        try database.wait { store throws(SourceFault) in
            try store.all("SELECT DISTINCT name, kind FROM sticker ORDER BY name, kind") { (name: $0.text(0), kind: $0.text(1)) }
        }
    }

    private static func value(of name: String, _ holder: StickerHolder, in store: StoreDatabase) throws(SourceFault) -> String? {
        try store.first("SELECT value FROM sticker WHERE kind = ? AND holder = ? AND name = ?", holder.values + [.text(name)]) {
            $0.text(0)
        }
    }
}

extension StickerHolder {
    fileprivate var values: [Database.Value] { [.text(kind), .text(name)] }
}
