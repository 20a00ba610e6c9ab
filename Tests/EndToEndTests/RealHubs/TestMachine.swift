import Foundation

/// What this machine offers the tests: the shipped binaries, and the tools some tests need.
///
/// A test whose tools are missing is skipped with a reason. Under `BATON_NO_SKIP=1` it runs all the
/// same and fails, saying what it missed.
enum TestMachine {
    private static let environment = ProcessInfo.processInfo.environment

    static let isStrict = environment["BATON_NO_SKIP"] == "1"
    static let isSlow = environment["BATON_SLOW"].map { !$0.isEmpty && $0 != "0" } ?? false
    static let isRoot = getuid() == 0

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let support = root.appending(path: "Tests/EndToEndTests/Support")

    /// The folder of `baton` and `batond`: `BATON_BIN`, else whichever build is newer.
    static let binaries: URL = {
        if let named = environment["BATON_BIN"], !named.isEmpty { return URL(filePath: named, relativeTo: root) }
        let builds = ["release", "debug"].map { root.appending(path: ".build/\($0)") }
        return builds.max { built($0) < built($1) } ?? builds[0]
    }()

    private static func built(_ folder: URL) -> Date {
        let facts = try? FileManager.default.attributesOfItem(atPath: folder.appending(path: "batond").path)
        return facts?[.modificationDate] as? Date ?? .distantPast
    }

    static func binary(_ name: String) -> String { binaries.appending(path: name).path }

    static func has(_ programs: String...) -> Bool {
        isStrict || programs.allSatisfy { FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)") }
    }

    /// Namespaces need root, and a machine that allows them.
    static let mayMakeHosts = isStrict || isRoot && (try? Running.outcome(of: "/usr/bin/unshare", "-n", "-m", "-u", "true")) == 0
    static let mayMount = isStrict || isRoot && (try? Running.outcome(of: "/usr/bin/unshare", "-m", "true")) == 0
}
