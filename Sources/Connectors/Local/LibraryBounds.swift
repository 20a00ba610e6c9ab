/// Which folders the library may have, and who may say so.
///
/// A value. Real paths are compared, by their parts: the caller has followed every symlink before. An admin elsewhere
/// may add what lies below the owner's roots; a program on the hub's machine whatever its user may read. The hub's own
/// data and the kernel's file systems are never served, not even where a folder above them was added.
import BatonCore
import BatonSeams

package struct LibraryBounds: Equatable, Sendable {
    /// As the owner named them.
    package var roots: [String]
    /// Where the hub keeps its state, its keys and its library.
    package var data: [String]

    private static let system = ["/proc", "/sys", "/dev"]

    package init(roots: [String] = [], data: [String] = []) {
        self.roots = roots
        self.data = data
    }

    /// Real paths that are left out of every folder.
    package var excluded: [String] { data + Self.system }

    /// Why no user may add a folder of the library here; `nil` for all other places.
    func refusal(of real: String) -> String? {
        if RealPath.isBelow(data, real) {
            return "\(real) is where the hub keeps its own data, so it cannot be a folder of the library."
        }
        if RealPath.isBelow(Self.system, real) {
            return "\(real) belongs to the system (\(Self.system.joined(separator: ", "))), so it cannot be a folder of the library."
        }
        return nil
    }

    /// `real` is where a folder really is, and `path` what it was called. One that is only looked into may hold the hub's data.
    func check(
        _ real: String, as path: String, _ trust: Trust, isToAdd: Bool = true, realRoot: (String) -> String? = RealPath.of
    ) throws(SourceFault) {
        if let sentence = refusal(of: real) { throw SourceFault(.forbidden, sentence) }
        guard trust < .anyPath else { return }
        // A root may itself be named by a symlink, and a disk that is not there has no real path.
        let isBelow = RealPath.isBelow(roots, real) || roots.contains { RealPath.isBelow([realRoot($0) ?? $0], real) }
        guard isBelow, !isToAdd || !data.contains(where: { RealPath.isBelow([real], $0) }) else {
            throw SourceFault(.forbidden, outside(path))
        }
    }

    /// The same for a folder that exists and for one that does not: it says first that there may be none.
    private func outside(_ path: String) -> String {
        let allowed = roots.isEmpty ? "no folder can" : "only folders below \(roots.joined(separator: ", ")) can"
        return "There is no folder \(path) that can be added from elsewhere: \(allowed) (library_roots in batond.conf), "
            + "and none that holds the hub's own data. On the hub's own machine: baton library add \(path)"
    }
}
