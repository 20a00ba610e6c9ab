/// Texts about settings that people, their files and their scripts go by, as `Settings.txt` holds them: the help, each flag, variable and line of
/// the file, the sentence about a wrong value, and what a running hub takes over. `BATON_RECORD=1` in the environment records a new setting;
/// commit the file with it.
import Configuration
import Foundation
import Testing

struct SettingTextTests {
    private static let recording = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Settings.txt")

    @Test func `texts about settings are the recorded ones`() throws {
        let found = try withHome { (around) throws in
            [
                ("batond --help", try help(around, "--help")),
                ("batond --help-limits", try help(around, "--help-limits")),
                ("Flags, variables and lines of the file", lines(SettingAbout.all.map(names))),
                ("Wrong values", lines(try sentences(&around))),
                ("Taken over by a running hub", lines(try reread(&around).taken)),
            ].map { "# \($0)\n\($1)" }.joined(separator: "\n")
        }
        if ProcessInfo.processInfo.environment["BATON_RECORD"] == "1" {
            try found.write(to: Self.recording, atomically: true, encoding: .utf8)
        }

        let recorded = try String(contentsOf: Self.recording, encoding: .utf8)

        #expect(found.components(separatedBy: "\n") == recorded.components(separatedBy: "\n"))
    }

    @Test func `each setting that changes in the file is named, and waits for the next start where it is not taken over`() throws {
        try withHome { (around) throws in
            let again = try reread(&around)

            let others = SettingAbout.all.map(path).filter { !again.taken.contains($0) }
            #expect(again.waiting == others)
            #expect(again.taken.count + others.count == SettingAbout.all.count)
        }
    }

    // MARK: -

    private func help(_ around: ProcessEnvironment, _ flag: String) throws -> String {
        guard case .help(let text) = try HubConfiguration.resolve([flag], around: around) else { return "" }
        return text
    }

    private func lines(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

    private func path(_ setting: SettingAbout) -> String { (setting.isLimit ? "[limits] " : "") + setting.name }

    private func names(_ setting: SettingAbout) -> String {
        let flag = setting.placeholder.map { "--\(setting.flag) \($0)" } ?? "--[no-]\(setting.flag)"
        return "\(flag), \(setting.variable), \(path(setting))\(setting.repeats ? ", repeated" : "")"
    }

    /// A file with this value of each setting.
    private func file(_ value: (SettingAbout) -> String) -> String {
        let limits = SettingAbout.all.filter(\.isLimit)
        let others = SettingAbout.all.filter { !$0.isLimit }
        return lines(others.map { "\($0.name) = \(value($0))" } + ["[limits]"] + limits.map { "\($0.name) = \(value($0))" })
    }

    /// What is said of a file in which every value is wrong. Only the name may be any text, and there it is too long.
    private func sentences(_ around: inout ProcessEnvironment) throws -> [String] {
        try around.configure(file { $0.name == "name" ? String(repeating: "x", count: 64) : "pcm:x" })
        return around.problems().map { $0.replacing(/^.*batond\.conf, line \d+:\s/, with: "") }
    }

    /// A hub that runs with the defaults and reads a file in which every value is another one.
    private func reread(_ around: inout ProcessEnvironment) throws -> Reconfiguration {
        try around.configure("")
        let running = try around.settings()
        try around.configure(file(another))
        return try Reconfiguration([], around: around, running: running)
    }

    private func another(_ setting: SettingAbout) -> String {
        switch setting.placeholder {
        case nil: setting.usual == "yes" ? "no" : "yes"
        case "N"?: setting.usual == "1" ? "2" : Int(setting.usual).map { "\($0 - 1)" } ?? ""
        case "SIZE"?: "3 GiB"
        case "TEXT"?, "HOST"?: "x"
        case "FOLDER"?, "PATH"?, "FILE"?: "/x"
        case "OUTPUT"?: "null"
        case "HOST:PORT"?: "127.0.0.1:1"
        case "ORIGIN"?: "http://x"
        case "ADDRESS"?: "10.0.0.1"
        case "FROM-TO"?: "1-2"
        case "ROOM=PORT"?: "kitchen=6601"
        case "LEVEL"?: "debug"
        case let choices?: choices.split(separator: "|").map(String.init).first { $0 != setting.usual } ?? ""
        }
    }
}
