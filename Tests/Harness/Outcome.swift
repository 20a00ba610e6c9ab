import Foundation

/// How a program ended that a test waited for, and what it said.
package struct Outcome: Sendable {
    package let code: Int32
    /// What it printed, and what it complained of.
    package let out: String
    package let err: String

    /// Runs a program to its end. A name without a slash is looked for in the path.
    package static func of(_ command: [String], folder: String? = nil) throws -> Outcome {
        let logs = FileManager.default.temporaryDirectory.appending(path: "baton-outcome-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: logs, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: logs) }
        let (out, err) = (logs.appending(path: "out"), logs.appending(path: "err"))

        let child = try Child("/usr/bin/env", command, folder: folder, out: out.path, err: err.path)
        let code = child.waitUntilExit()
        return Outcome(code: code, out: try text(out), err: try text(err))
    }

    private static func text(_ file: URL) throws -> String { String(decoding: try Data(contentsOf: file), as: UTF8.self) }
}
