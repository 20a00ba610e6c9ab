/// The environment of a process: its variables, its user, its machine. A value, so that tests can set their own.
import Glibc

package struct ProcessEnvironment: Sendable {
    package var environment: [String: String]
    /// The machine's own name, possibly with its domain.
    package var fullHostName: String
    package var home: String
    package var user: UInt32
    package var workingFolder: String

    package init(environment: [String: String], hostName: String, home: String, user: UInt32, workingFolder: String) {
        self.environment = environment
        fullHostName = hostName
        self.home = home
        self.user = user
        self.workingFolder = workingFolder
    }

    package static func current() -> ProcessEnvironment {
        let environment = Self.environmentNow()
        return ProcessEnvironment(
            environment: environment, hostName: Self.hostNameNow(), home: environment["HOME"] ?? Self.homeOf(getuid()), user: getuid(),
            workingFolder: Self.workingFolderNow())
    }

    /// An empty variable counts as absent, as in the XDG specification.
    package subscript(_ name: String) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The name without its domain, for people.
    package var hostName: String {
        let label = fullHostName.prefix { $0 != "." }
        return label.isEmpty ? "Baton" : String(label)
    }

    /// Names of this machine that clients may use, in lower case.
    package var hostNames: [String] {
        let label = hostName.lowercased()
        return [label, "\(label).local"] + (fullHostName.contains(".") ? [fullHostName.lowercased()] : [])
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

    private static func hostNameNow() -> String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "" }
        return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
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
