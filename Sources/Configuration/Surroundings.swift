/// What a process finds around itself: its environment, its user, its machine. A value, so that a
/// test can stand anywhere.
import Glibc

package struct Surroundings: Sendable {
    package var environment: [String: String]
    package var hostName: String
    package var home: String
    package var user: UInt32
    package var workingFolder: String

    package init(environment: [String: String], hostName: String, home: String, user: UInt32, workingFolder: String) {
        self.environment = environment
        self.hostName = hostName
        self.home = home
        self.user = user
        self.workingFolder = workingFolder
    }

    package static func current() -> Surroundings {
        let environment = Self.environmentNow()
        return Surroundings(
            environment: environment, hostName: Self.hostNameNow(), home: environment["HOME"] ?? Self.homeOf(getuid()), user: getuid(),
            workingFolder: Self.workingFolderNow())
    }

    /// Empty means absent, as it does for every XDG variable.
    package subscript(_ name: String) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func environmentNow() -> [String: String] {
        var found: [String: String] = [:]
        var next = unsafe environ
        while let entry = unsafe next.pointee {
            let text = unsafe String(cString: entry)
            if let equals = text.firstIndex(of: "=") { found[String(text[..<equals])] = String(text[text.index(after: equals)...]) }
            unsafe next += 1
        }
        return found
    }

    /// Without its domain: the name is for people.
    private static func hostNameNow() -> String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "Baton" }
        let name = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let short = name.prefix { $0 != "." }
        return short.isEmpty ? "Baton" : String(short)
    }

    private static func homeOf(_ user: UInt32) -> String {
        guard let entry = unsafe getpwuid(user) else { return "/" }
        return unsafe String(cString: entry.pointee.pw_dir)
    }

    private static func workingFolderNow() -> String {
        guard let path = unsafe getcwd(nil, 0) else { return "/" }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }
}
