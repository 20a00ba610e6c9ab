import Glibc

/// A file beside a database that says: the last look through the whole of it found damage. A store that is large is not looked
/// through when it is opened, but later in the background; the mark has the next start do it first and set the file aside.
package struct DamageMark: Sendable {
    private let path: String
    private var mark: String { path + ".damaged" }

    package init(of path: String) { self.path = path }

    package var isThere: Bool { unsafe access(mark, F_OK) == 0 }

    package func remove() { _ = unsafe unlink(mark) }

    /// Looks through the whole file, on a connection of its own, so that no question waits. Damage is a sentence, and leaves the mark.
    package func lookThrough() -> String? {
        do throws(DatabaseError) {
            try DatabaseOpening.lookThrough(try Database(path))
            return nil
        } catch {
            // A disk that fails for a moment says nothing of the file.
            guard error.code == .damaged else { return nil }
            let note = unsafe open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            if note >= 0 { Glibc.close(note) }
            return error.fault(at: path).sentence
        }
    }
}
