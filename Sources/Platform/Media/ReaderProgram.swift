import Glibc

/// Where `baton-reader` is: what the environment names, else beside the program that runs, else where a
/// package puts it.
package struct ReaderProgram: Sendable {
    package var path: String
    /// Words after its name; only tests need any.
    package var arguments: [String]

    package init(_ path: String, arguments: [String] = []) {
        self.path = path
        self.arguments = arguments
    }

    private static let name = "baton-reader"

    /// A sentence says where it was looked for.
    package enum Search: Sendable {
        case found(ReaderProgram)
        case missing(String)
    }

    package static func find() -> Search {
        var places = [beside, "/usr/libexec/baton/\(name)"].compactMap { $0 }
        if let named = unsafe getenv("BATON_READER") { places = [unsafe String(cString: named)] }
        if let found = places.first(where: { unsafe access($0, X_OK) == 0 }) { return .found(ReaderProgram(found)) }
        return .missing(
            "Tags and covers cannot be read: the program \(name) is missing. It belongs beside batond; looked for \(places.joined(separator: " and "))."
        )
    }

    private static var beside: String? {
        guard let own = unsafe realpath("/proc/self/exe", nil) else { return nil }
        defer { unsafe free(own) }
        guard let path = unsafe String(validatingCString: own), let slash = path.lastIndex(of: "/") else { return nil }
        return path[...slash] + name
    }
}
