/// Items that a person has declared to be different tracks.
package import BatonCore
package import BatonSeams
import SQLite

extension SourceStore: FoldSplitStorage {
    package func splits() throws(SourceFault) -> [FoldSplit] {
        try look { sources throws(SourceFault) in
            try sources.all("SELECT first, second FROM split LIMIT ?", [.int(FoldSplits.most)]) { row in
                FoldSplit(ItemURI(row.text(0)), ItemURI(row.text(1)))
            }
        }
    }

    package func setSplit(_ split: FoldSplit, _ isOn: Bool) throws(SourceFault) -> Bool {
        let pair: [Database.Value] = [.text(split.first.text), .text(split.second.text)]
        return try change { sources throws(SourceFault) in
            let isThere = try sources.first("SELECT 1 FROM split WHERE first = ? AND second = ?", pair) { _ in true } ?? false
            guard isThere != isOn else { return false }
            try sources.run(isOn ? "INSERT INTO split VALUES (?, ?)" : "DELETE FROM split WHERE first = ? AND second = ?", pair)
            return true
        }
    }
}
