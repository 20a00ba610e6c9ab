/// Decides which folders may be added to the library, and by whom.
///
/// A value. It compares real paths, so callers resolve symlinks first. A remote admin may add folders below the
/// owner's roots; a program on the hub's machine may add all that its user can read. The hub's own data and the
/// kernel's file systems are never served, even if a parent folder was added.
import BatonCore
import BatonSeams

package struct LibraryBounds: Equatable, Sendable {
    /// The allowed roots, as the owner wrote them.
    package var roots: [String]
    /// Folders of the hub's state, keys and library.
    package var data: [String]

    private static let system = ["/proc", "/sys", "/dev"]

    package init(roots: [String] = [], data: [String] = []) {
        self.roots = roots
        self.data = data
    }

    /// Real paths that are excluded from every library folder.
    package var excluded: [String] { data + Self.system }

    /// The reason why no user may add this folder; `nil` if it is allowed.
    func refusal(of real: String) -> String? {
        if RealPath.isBelow(data, real) {
            return "\(real) is where the hub keeps its own data, so it cannot be a folder of the library."
        }
        if RealPath.isBelow(Self.system, real) {
            return "\(real) belongs to the system (\(Self.system.joined(separator: ", "))), so it cannot be a folder of the library."
        }
        return nil
    }

    /// Checks the folder with the real path `real`, which the user named as `path`. Unlike an added folder, a folder
    /// that is only listed may contain the hub's data.
    func check(
        _ real: String, as path: String, _ trust: Trust, isToAdd: Bool = true, realRoot: (String) -> String? = RealPath.of
    ) throws(SourceFault) {
        if let sentence = refusal(of: real) { throw SourceFault(.forbidden, sentence) }
        guard trust < .anyPath else { return }
        // A root may be a symlink, and a root on a missing disk has no real path.
        let isBelow = RealPath.isBelow(roots, real) || roots.contains { RealPath.isBelow([realRoot($0) ?? $0], real) }
        guard isBelow, !isToAdd || !data.contains(where: { RealPath.isBelow([real], $0) }) else {
            throw SourceFault(.forbidden, outside(path))
        }
    }

    /// One message for existing and missing folders, so that it does not reveal which of them exist.
    private func outside(_ path: String) -> String {
        let allowed = roots.isEmpty ? "no folder can" : "only folders below \(roots.joined(separator: ", ")) can"
        return "There is no folder \(path) that can be added from elsewhere: \(allowed) (library_roots in batond.conf), "
            + "and none that holds the hub's own data. On the hub's own machine: baton library add \(path)"
    }
}
