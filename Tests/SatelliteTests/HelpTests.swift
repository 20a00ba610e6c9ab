/// What `baton` says of its verbs is what `Help.txt` holds: the help and the options of each, the sentence about an option of another verb,
/// and a hash of the manual and of the schemas. A change of the table that means to leave them leaves the file as it is.
/// `BATON_RECORD=1` in the environment records a new verb or sentence; commit the file with it.
import BatonCore
import Configuration
import Foundation
import Testing

@testable import baton

@Suite struct HelpTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Help.txt")
    private static let around = ProcessEnvironment(environment: [:], hostName: "here", home: "/", user: 0, workingFolder: "/")

    @Test func `help, completions and the manual of every verb are the recorded ones`() throws {
        let found = try Self.parts()
        if ProcessInfo.processInfo.environment["BATON_RECORD"] == "1" {
            try found.joined().write(to: Self.file, atomically: true, encoding: .utf8)
        }
        let recorded = try String(contentsOf: Self.file, encoding: .utf8)
        let different = found.filter { !recorded.contains($0) }
        #expect(different.isEmpty, "BATON_RECORD=1 records them.")
        let isWhole = found.joined().count == recorded.count
        #expect(isWhole, "Help.txt holds more than these.")
    }

    private static func parts() throws -> [String] {
        var parts = [part("baton help", Help.screen)]
        var words: Set<String> = []
        for verb in Verb.all + Verb.hidden {
            guard case .help(let text) = try CommandLineText(["help", verb.name], around) else { continue }
            let options = CommandLineSoFar([verb.name, "--"]).candidates.map(\.word)
            words.formUnion(options)
            parts.append(part("baton help \(verb.name)", text + "\noptions: " + options.joined(separator: " ")))
        }
        var refusals: [String] = []
        for word in words.sorted() {
            do throws(Stop) { _ = try CommandLineText(["status", word, "1"], around) } catch { refusals.append(error.sentence) }
        }
        parts.append(part("baton status with options of others", refusals.joined(separator: "\n")))
        // The first two lines name the version and its date.
        let manual = ManualPages.text(of: "baton")?.split(separator: "\n", maxSplits: 2).last.map(String.init) ?? ""
        parts.append(part("baton manual", String(StableHash.of(manual), radix: 16)))
        parts.append(part("baton schema", String(StableHash.of(JSONForms.document), radix: 16)))
        return parts
    }

    private static func part(_ title: String, _ text: String) -> String { "# \(title)\n\(text)\n" }
}
