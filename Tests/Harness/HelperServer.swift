/// A server program of the tests that says where it listens in its first line.
import Foundation

package final class HelperServer: Sendable {
    package struct NotStarted: Error, CustomStringConvertible {
        package let description: String
    }

    private let child: Child
    private let errors: String
    /// Removed with the server.
    package let folder: String
    /// The first line that the program printed.
    package let line: String

    /// Blocks until the program has said its line. `FOLDER` in `words` becomes a folder of its own.
    package init(_ script: String, _ words: [String] = [], python: String = "/usr/bin/python3") throws {
        let folder = NSTemporaryDirectory() + "baton-server-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let told = folder + "/told", errors = folder + "/errors"
        let words = words.map { $0.replacing("FOLDER", with: folder) }
        let child = try Child(python, [script] + words, out: told, err: errors)
        (self.folder, self.errors, self.child) = (folder, errors, child)
        do {
            line = try Self.line(of: child, in: told)
        } catch {
            let words = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
            child.signal(SIGKILL)
            try? FileManager.default.removeItem(atPath: folder)
            throw NotStarted(description: "\(script) \(error.description) \(words)")
        }
    }

    deinit {
        child.signal(SIGTERM)
        for _ in 0..<500 where child.isRunning { usleep(10_000) }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The first line, read as JSON.
    package func said<Ports: Decodable>(_ type: Ports.Type) throws -> Ports { try JSONDecoder().decode(type, from: Data(line.utf8)) }

    /// A program that has ended is not waited for; one that runs has two minutes, which no healthy machine needs.
    private static func line(of child: Child, in file: String) throws(NotStarted) -> String {
        for _ in 0..<12_000 {
            let code = child.code
            if let text = try? String(contentsOfFile: file, encoding: .utf8), text.hasSuffix("\n") { return String(text.dropLast()) }
            if let code { throw NotStarted(description: "ended with code \(code) before it said where it listens.") }
            usleep(10_000)
        }
        throw NotStarted(description: "did not say within two minutes where it listens.")
    }
}
