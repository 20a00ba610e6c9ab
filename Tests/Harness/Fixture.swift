import Foundation

/// Music and pictures that a program makes, made once and kept in `.build/fixtures`.
///
/// Most tests want the same few tones, and to encode one costs more than the test itself. Each test gets a copy of its
/// own, which it may change.
package enum Fixture {
    package struct NotMade: Error, CustomStringConvertible {
        package let description: String
    }

    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: ".build/fixtures").path

    /// Writes to `path` what `command` makes; the path stands at its end, or where `{}` stands. The other words name no file.
    package static func make(_ command: [String], at path: String) throws {
        let kept = try kept(command, suffix: URL(filePath: path).pathExtension)
        try Data(contentsOf: URL(filePath: kept), options: .alwaysMapped).write(to: URL(filePath: path))
    }

    private static func kept(_ command: [String], suffix: String) throws -> String {
        let kept = "\(folder)/\(name(of: command + [suffix])).\(suffix)"
        if FileManager.default.fileExists(atPath: kept) { return kept }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // Under another name until it is whole: other tests, also of other processes, may want it at the same time.
        let new = "\(folder)/new-\(UUID().uuidString.prefix(8)).\(suffix)"
        let words = command.contains("{}") ? command.map { $0 == "{}" ? new : $0 } : command + [new]
        let outcome = try Outcome.of(words)
        guard outcome.code == 0, rename(new, kept) == 0 else {
            throw NotMade(description: "\(words.joined(separator: " ")): \(outcome.err)")
        }
        return kept
    }

    /// FNV-1a, since Swift's own hashes differ from process to process.
    private static func name(of words: [String]) -> String {
        let sum = words.joined(separator: "\0").utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0100_0000_01B3 }
        return String(sum, radix: 16)
    }
}
