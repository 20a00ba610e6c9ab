/// Small facts that a source stores.
package import BatonSeams
import SQLite

extension SourceStore {
    package func memory(of name: String) -> any SourceMemory { StoredMemory(store: self, source: name) }

    /// Deletes all data of this source: its facts, its notes and its rows.
    package func forget(_ source: String) throws(SourceFault) {
        try change { sources throws(SourceFault) in
            try sources.run("DELETE FROM memory WHERE source = ?", [.text(source)])
            try sources.run("DELETE FROM outbox WHERE source = ?", [.text(source)])
            try sources.run("DELETE FROM delivery WHERE source = ?", [.text(source)])
        }
        try forgetRows(of: source)
    }
}

private struct StoredMemory: SourceMemory {
    let store: SourceStore
    let source: String

    func value(_ name: String) -> String? {
        do throws(SourceFault) {
            let found = try store.look { sources throws(SourceFault) in
                try sources.first("SELECT value FROM memory WHERE source = ? AND name = ?", [.text(source), .text(name)]) { $0.text(0) }
            }
            return found
        } catch {
            store.log(.warning, error.sentence)
            return nil
        }
    }

    /// Stores a fact. A failure is harmless, since the source finds the fact again after the next start.
    func store(_ value: String?, _ name: String) {
        do throws(SourceFault) {
            try store.change { sources throws(SourceFault) in
                guard let value else {
                    try sources.run("DELETE FROM memory WHERE source = ? AND name = ?", [.text(source), .text(name)])
                    return
                }
                try sources.run("INSERT OR REPLACE INTO memory VALUES (?, ?, ?)", [.text(source), .text(name), .text(value)])
            }
        } catch {
            store.log(.warning, error.sentence)
        }
    }
}
