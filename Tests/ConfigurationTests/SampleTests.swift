/// examples/batond.conf holds every setting, at its default. `BATON_RECORD=1` in the environment writes it; commit it with the setting.
import Foundation
import Testing

@testable import Configuration

struct SampleTests {
    private let sample = SampleFile.text

    /// The lines of the sample, with its settings no longer commented out.
    private var uncommented: [String] {
        sample.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard line.hasPrefix("# "), let equals = line.range(of: " = ") else { return String(line) }
            let name = line[line.index(line.startIndex, offsetBy: 2)..<equals.lowerBound]
            return name.contains(" ") ? String(line) : String(line.dropFirst(2))
        }
    }

    @Test func `the file in the repository is the sample`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(path: "examples/batond.conf")
        if ProcessInfo.processInfo.environment["BATON_RECORD"] == "1" {
            try sample.write(to: file, atomically: true, encoding: .utf8)
        }

        let kept = try String(contentsOf: file, encoding: .utf8)

        #expect(kept.components(separatedBy: "\n") == sample.components(separatedBy: "\n"), "BATON_RECORD=1 writes it.")
    }

    @Test func `each setting that is declared is in the list`() {
        let declared = Mirror(reflecting: DeclaredSettings.here).children.compactMap { ($0.value as? any AnySetting)?.about.name }
        #expect(declared == Array(DeclaredSettings.all.map(\.about.name).prefix(declared.count)))
        #expect(DeclaredSettings.all.count == declared.count + Limit.all.count)
    }

    @Test func `the head of the sample names the settings that a running hub takes over`() {
        let missing = SettingAbout.all.filter { $0.isLive && !SampleFile.head.contains($0.name) }
        #expect(missing.map(\.name) == [])
    }

    @Test func `the sample is read without a word of complaint, as it is and with everything in it turned on`() throws {
        try withHome { (around) throws in
            for text in [sample, uncommented.joined(separator: "\n")] {
                try around.configure(text)
                #expect(around.problems() == [])
                #expect(try around.warnings() == [])
            }
        }
    }

    @Test func `the account in the sample is one when the marks in front of it are removed`() throws {
        try withHome { (around) throws in
            let lines = sample.split(separator: "\n").drop { !$0.hasPrefix("#   [source ") }.map { $0.dropFirst(4) }
            try around.configure(lines.joined(separator: "\n"))

            let attic = try #require(try around.settings().sources.first)

            #expect(attic.name == "attic" && attic.title == "The attic" && attic.passwordFile == "/etc/baton/attic-password")
            #expect(attic.options == ["quality": "raw", "sync_queue": "no"] && attic.isEnabled)
        }
    }

    @Test func `the sample holds the defaults`() throws {
        try withHome { (around) throws in
            let plain = try around.settings()
            // These two depend on the machine, so the sample shows what they may look like.
            let dependent = uncommented.filter { $0.hasPrefix("name = ") || $0.hasPrefix("music = ") }
            try around.configure(dependent.joined(separator: "\n"))
            #expect(try around.settings().name == "Living room")
            #expect(try around.settings().music == [around.home + "/Music", "/srv/audiobooks"])

            try around.configure(uncommented.filter { !dependent.contains($0) }.joined(separator: "\n"))

            #expect(try around.settings() == plain)
        }
    }
}
