/// examples/batond.conf holds every setting, at its default.
import Foundation
import Testing

@testable import Configuration

struct SampleTests {
    private var sample: String {
        get throws {
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            return try String(contentsOf: root.appendingPathComponent("examples/batond.conf"), encoding: .utf8)
        }
    }

    /// The sample with its settings no longer commented out.
    private var uncommented: String {
        get throws {
            try sample.split(separator: "\n", omittingEmptySubsequences: false).map { line in
                guard line.hasPrefix("# "), let equals = line.range(of: " = ") else { return String(line) }
                let name = line[line.index(line.startIndex, offsetBy: 2)..<equals.lowerBound]
                return name.contains(" ") ? String(line) : String(line.dropFirst(2))
            }.joined(separator: "\n")
        }
    }

    @Test func `the sample is read without a word of complaint, as it is and with everything in it turned on`() throws {
        try withHome { (around) throws in
            for text in [try sample, try uncommented] {
                try around.configure(text)
                #expect(around.problems() == [])
                #expect(try around.warnings() == [])
            }
        }
    }

    @Test func `the sample holds every setting once and nothing else`() throws {
        let several = ["music", "library_roots"]
        let lines = INIFile(text: Array(try uncommented.utf8)).lines.filter { !several.contains($0.name) }

        let found = lines.map { $0.section + "/" + $0.name }
        let known = Setting.all.filter { !several.contains($0.name) }.map { $0.section + "/" + $0.name }
        #expect(found.sorted() == known.sorted())
    }

    @Test func `the account in the sample is one when the marks in front of it are removed`() throws {
        try withHome { (around) throws in
            let lines = try sample.split(separator: "\n").drop { !$0.hasPrefix("#   [source ") }.map { $0.dropFirst(4) }
            try around.configure(lines.joined(separator: "\n"))

            let attic = try #require(try around.settings().sources.first)

            #expect(attic.name == "attic" && attic.title == "The attic" && attic.passwordFile == "/etc/baton/attic-password")
            #expect(attic.options == ["quality": "raw", "sync_queue": "no"] && attic.isEnabled)
        }
    }

    @Test func `the sample holds the defaults`() throws {
        try withHome { (around) throws in
            let plain = try around.settings()
            try FileManager.default.createDirectory(atPath: around.home + "/Music", withIntermediateDirectories: true)
            try around.configure(try uncommented)

            var settings = try around.settings()

            // These two depend on the machine, so the sample shows what they may look like.
            #expect(settings.name == "Living room")
            #expect(settings.music == [around.home + "/Music", "/srv/audiobooks"])
            settings.name = plain.name
            settings.music = plain.music
            #expect(settings == plain)
        }
    }
}
