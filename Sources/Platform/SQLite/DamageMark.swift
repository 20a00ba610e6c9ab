import Glibc

/// A file beside a database which marks that its last full check found damage. A large store is not checked when it is opened, but later in
/// the background; with the mark, the next start checks it first and sets the file aside.
package struct DamageMark: Sendable {
    private let path: String
    private var mark: String { path + ".damaged" }

    package init(of path: String) { self.path = path }

    package var isThere: Bool { unsafe access(mark, F_OK) == 0 }

    package func remove() { _ = unsafe unlink(mark) }

    /// Checks the whole file on a connection of its own, so that no query waits. Damage is returned as a sentence, and leaves the mark.
    package func checkIntegrity() -> String? {
        do throws(DatabaseError) {
            try DatabaseOpening.checkIntegrity(try Database(path))
            return nil
        } catch {
            // A temporary disk failure is no damage.
            guard error.code == .damaged else { return nil }
            let note = unsafe open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            if note >= 0 { Glibc.close(note) }
            return error.fault(at: path).sentence
        }
    }
}
