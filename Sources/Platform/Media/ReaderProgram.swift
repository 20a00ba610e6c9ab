import Glibc

/// The path of a confined program: from the environment, else beside the running program, else from the package.
package struct ReaderProgram: Sendable {
    package var path: String
    /// Arguments, which only tests need.
    package var arguments: [String]

    package init(_ path: String, arguments: [String] = []) {
        self.path = path
        self.arguments = arguments
    }

    /// The result of the search; the sentence tells where the program was searched.
    package enum Search: Sendable {
        case found(ReaderProgram)
        case missing(String)
    }

    package static func find() -> Search { find("baton-reader", by: "BATON_READER", lacking: "Tags and covers cannot be read") }

    package static func findTranscoder() -> Search {
        find("baton-transcoder", by: "BATON_TRANSCODER", lacking: "Sound cannot be encoded for radios and slow networks")
    }

    private static func find(_ name: String, by variable: String, lacking: String) -> Search {
        var places = [beside(name), "/usr/libexec/baton/\(name)"].compactMap { $0 }
        if let named = unsafe getenv(variable) { places = [unsafe String(cString: named)] }
        if let found = places.first(where: { unsafe access($0, X_OK) == 0 }) { return .found(ReaderProgram(found)) }
        return .missing(
            "\(lacking): the program \(name) is missing. It belongs beside batond; looked for \(places.joined(separator: " and ")).")
    }

    private static func beside(_ name: String) -> String? {
        guard let own = unsafe realpath("/proc/self/exe", nil) else { return nil }
        defer { unsafe free(own) }
        guard let path = unsafe String(validatingCString: own), let slash = path.lastIndex(of: "/") else { return nil }
        return path[...slash] + name
    }
}
