/// The tables of one mirror. Numbers are reused, so that there are few different SQL texts.
import SQLite

struct MirrorSlot: Equatable {
    let number: Int

    var item: String { "mirror_item_\(number)" }
    var positions: String { "mirror_place_\(number)" }
    var label: String { "mirror_label_\(number)" }
    var word: String { "mirror_word_\(number)" }
    var term: String { "mirror_term_\(number)" }

    /// Creates the tables for the rows of a pass.
    var creation: String {
        """
        CREATE TABLE \(item) (
            id INTEGER PRIMARY KEY,
            -- Of the item's URI (StableHash).
            hash INTEGER NOT NULL UNIQUE,
            row BLOB NOT NULL
        ) STRICT;
        CREATE TABLE \(positions) (
            -- StableHash of the container's URI; 0 for the source's own shelves.
            container INTEGER NOT NULL,
            place INTEGER NOT NULL,
            item INTEGER NOT NULL,
            PRIMARY KEY (container, place)
        ) STRICT, WITHOUT ROWID;
        """
    }

    /// Creates the search index. Labels are in the order of hits: containers first, then tracks; in both the most played first, then by
    /// name. A search reads by ascending label and stops when it has enough; it never sorts.
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

    var removal: String { [term, word, label, positions, item].map { "DROP TABLE IF EXISTS \($0);" }.joined(separator: "\n") }

    /// Labels below this belong to containers.
    static let firstTrack: Int64 = 1 << 40
}
