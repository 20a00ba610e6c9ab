/// The tables of one mirror. Numbers are used again, so that the statements about them are always the same few texts.
import SQLite

struct MirrorSlot: Equatable {
    let number: Int

    var item: String { "mirror_item_\(number)" }
    var place: String { "mirror_place_\(number)" }
    var label: String { "mirror_label_\(number)" }
    var word: String { "mirror_word_\(number)" }
    var term: String { "mirror_term_\(number)" }

    /// For the rows of a pass.
    var creation: String {
        """
        CREATE TABLE \(item) (
            id INTEGER PRIMARY KEY,
            -- Of the item's URI (StableHash).
            hash INTEGER NOT NULL UNIQUE,
            row BLOB NOT NULL
        ) STRICT;
        CREATE TABLE \(place) (
            -- StableHash of the container's URI; 0 for the source's own shelves.
            container INTEGER NOT NULL,
            place INTEGER NOT NULL,
            item INTEGER NOT NULL,
            PRIMARY KEY (container, place)
        ) STRICT, WITHOUT ROWID;
        """
    }

    /// For finding them. A label's order is the order of finding: what holds others first, then tracks; in both the most
    /// played first, then by name. A search reads labels upwards and stops when it has enough; it never sorts.
    var index: String {
        """
        DROP TABLE IF EXISTS \(label);
        DROP TABLE IF EXISTS \(word);
        DROP TABLE IF EXISTS \(term);
        CREATE TABLE \(label) (label INTEGER PRIMARY KEY, item INTEGER NOT NULL, name TEXT NOT NULL) STRICT;
        CREATE INDEX mirror_name_\(number) ON \(label) (name, label) WHERE label < \(Self.firstTrack);
        CREATE VIRTUAL TABLE \(word) USING fts5 (
            words, content = '', tokenize = 'ascii', detail = 'none', columnsize = 0, prefix = '2 3 4 5'
        );
        -- Each word once, as Vocabulary keeps them. A mirror of an earlier version has none.
        CREATE TABLE \(term) (word TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
        """
    }

    var removal: String { [term, word, label, place, item].map { "DROP TABLE IF EXISTS \($0);" }.joined(separator: "\n") }

    /// Labels below this are of what holds others.
    static let firstTrack: Int64 = 1 << 40
}
