import BatonClient
import BatonCore
import BatonProtocol
import Configuration
import Testing

@testable import baton

@Suite struct `A command line is understood before any hub is asked` {
    private func stop(_ read: () throws -> Void) -> Stop? {
        do { try read() } catch { return error as? Stop }
        return nil
    }

    @Test func `the help fits a screen of 24 lines and 80 columns, and names every exit code`() {
        let lines = Help.screen.split(separator: "\n", omittingEmptySubsequences: false)

        #expect(lines.count <= 23, "and a line for the prompt")
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines.filter { $0.count > 80 })")
        for exit in Exit.allCases { #expect(lines.last?.contains("\(exit.rawValue) \(exit.meaning)") == true) }
    }

    // MARK: Positions

    @Test(arguments: [
        ("0", SeekTarget.to(ms: 0)), ("83", .to(ms: 83_000)), ("90:00", .to(ms: 5_400_000)), ("1:23", .to(ms: 83_000)),
        ("1:02:03", .to(ms: 3_723_000)),
        ("1.5", .to(ms: 1500)), ("0:00.25", .to(ms: 250)), ("+15", .by(ms: 15_000)), ("-15", .by(ms: -15_000)), ("-0:30", .by(ms: -30_000)),
        ("+1:00:00", .by(ms: 3_600_000)), ("40%", .part(percent: 40)), ("12.5%", .part(percent: 12.5)), ("0%", .part(percent: 0)),
    ])
    func `a position`(text: String, target: SeekTarget) throws {
        #expect(try SeekTarget(text) == target)
    }

    @Test(arguments: [
        "", "now", "+", "-", "%", "101%", "-1%", "1:", ":1", "1:2:3:4", "99:99", "1:60", "1:60:00", "+0:60", "1:-2", "nan", "inf", "1e9",
        "--5", "1:23x", "nan%",
    ])
    func `what is no position`(text: String) {
        #expect(stop { _ = try SeekTarget(text) }?.exit == .usage)
    }

    @Test func `a part of something needs its length`() throws {
        #expect(try SeekTarget.part(percent: 50).positionMs(durationMs: 60_000) == 30_000)
        #expect(stop { _ = try SeekTarget.part(percent: 50).positionMs(durationMs: nil) }?.exit == .refused)
    }

    // MARK: Volumes and modes

    @Test(arguments: [
        ("0", VolumeChange.to(0)), ("35", .to(35)), ("100", .to(100)), ("+5", .by(5)), ("-5", .by(-5)), ("+0", .by(0)), ("50%", .to(50)),
        ("+5%", .by(5)),
    ])
    func `a volume`(text: String, change: VolumeChange) throws {
        #expect(try VolumeChange(text) == change)
    }

    @Test(arguments: ["", "loud", "101", "-101", "3.5", "101%", "%", "+", "+%", "0x10"])
    func `what is no volume`(text: String) {
        #expect(stop { _ = try VolumeChange(text) }?.exit == .usage)
    }

    // MARK: Chapters and sleep timers

    @Test func `a chapter`() throws {
        #expect(try ChapterWord("3") == .number(3) && ChapterWord("+1") == .by(1) && ChapterWord("-2") == .by(-2))
        for text in ["", "0", "+0", "one", "1.5", "10001"] { #expect(stop { _ = try ChapterWord(text) }?.exit == .usage, "\(text)") }
    }

    @Test func `bookmarks as a file`() throws {
        #expect(try BookmarkFile(path: "a/b.MD") == .markdown && BookmarkFile(path: "b.json") == .json)
        for path in ["b", "b.txt", ""] { #expect(stop { _ = try BookmarkFile(path: path) }?.exit == .usage, "\(path)") }
        let book = BookmarkPlace(uri: ItemURI("file:b"), positionMs: 3_723_000, title: "The *Harbour*", album: "Tales", chapter: "2. Lamp")
        let other = BookmarkPlace(uri: ItemURI("file:o"), positionMs: 5000, title: "Other")
        let early = BookmarkPlace(uri: ItemURI("file:b"), positionMs: 61_000, title: "The *Harbour*", album: "Tales")
        let rows = [(book, "who\nlit it?"), (other, ""), (early, "")].enumerated().map {
            Bookmark(id: $0 + 1, place: $1.0, note: $1.1, atMs: 1)
        }
        #expect(
            BookmarkFile.markdown.text(rows) == """
                # Bookmarks

                ## The \\*Harbour\\* (Tales)

                - **1:01**
                - **1:02:03**, 2. Lamp: who lit it?

                ## Other

                - **0:05**

                """)
        #expect(BookmarkFile.json.text([]) == #"{"bookmarks":[]}"# + "\n")
    }

    @Test(arguments: [
        ("30", SleepWords.until(.time, amount: 1_800_000)), ("5 minutes", .until(.time, amount: 300_000)), ("+10", .longer(ms: 600_000)),
        ("track", .until(.track, amount: 1)), ("chapter", .until(.chapter, amount: 1)), ("3 chapters", .until(.chapter, amount: 3)),
        ("queue", .until(.queue, amount: 1)), ("off", .off),
    ])
    func `a sleep timer`(text: String, words: SleepWords) throws {
        #expect(try SleepWords(text.split(separator: " ").map(String.init)) == words)
    }

    @Test(arguments: ["-5", "0", "10000", "+10000", "1.5", "night", "0 chapters", "2000 tracks", "3 queue", "+2 chapters", "track 3", ""])
    func `what is no sleep timer`(text: String) {
        #expect(stop { _ = try SleepWords(text.split(separator: " ").map(String.init)) }?.exit == .usage)
    }

    @Test func `more minutes are added to what is left, and ends have none`() throws {
        #expect(try SleepWords(["+10"]).wish(over: (.time, 60_000), fadeMs: 0) == SleepWish(.time, amount: 660_000))
        #expect(try SleepWords(["+10"]).wish(over: nil, fadeMs: 5000) == SleepWish(.time, amount: 600_000, fadeMs: 5000))
        #expect(stop { _ = try SleepWords(["+10"]).wish(over: (.chapter, 60_000), fadeMs: 0) }?.exit == .refused)
    }

    @Test func `modes come one after the other`() throws {
        #expect(try ModePart.command(from: ["repeat", "on", "speed", "1.25"]) == Commands.ModeSet(repeat: true, speed: 1250))
        #expect(try ModePart.command(from: []) == nil)
        #expect(try ModePart.command(from: ["shuffle"]) == Commands.ModeSet(repeat: true, shuffle: true, single: .off))
        #expect(
            try ModePart.command(from: ["consume", "once", "repeat-one"])
                == Commands.ModeSet(repeat: true, shuffle: false, single: .on, consume: .once))
        #expect(
            try ModePart.command(from: ["once", "shuffle", "on"])
                == Commands.ModeSet(repeat: false, shuffle: true, single: .off))
        #expect(try ModePart.command(from: ["single", "once"]) == Commands.ModeSet(single: .once))
    }

    @Test(arguments: [
        (Modes(), "once"), (ways(repeat: true), "repeat-all"), (ways(repeat: true, single: .on), "repeat-one"),
        (ways(repeat: true, shuffle: true), "shuffle"), (ways(single: .once), "once, single once"),
        (ways(single: .on, consume: .once), "repeat off, shuffle off, single on, consume once"),
        (ways(shuffle: true, consume: .on), "repeat off, shuffle on, consume on"),
        (ways(repeat: true, single: .once), "repeat-all, single once"),
    ])
    func `modes are told by their name, and what it does not say`(modes: Modes, text: String) {
        #expect(ModeWord.describe(modes) == text)
    }

    private static func ways(
        repeat: Bool = false, shuffle: Bool = false, single: ModeSwitch = .off, consume: ModeSwitch = .off
    ) -> Modes {
        var modes = Modes()
        (modes.repeat, modes.shuffle, modes.single, modes.consume) = (`repeat`, shuffle, single, consume)
        return modes
    }

    @Test(arguments: [
        ["repeat"], ["repeat", "twice"], ["speed", "9"], ["speed", "nan"], ["colour", "red"], ["repeat", "on", "speed"],
        ["repeat", "all"], ["shuffle", "repeat"], ["repeat-two"], ["single"], ["single", "twice"], ["consume", "all"],
    ])
    func `what is no mode`(words: [String]) {
        #expect(stop { _ = try ModePart.command(from: words) }?.exit == .usage)
    }

    // MARK: Items

    private static let elsewhere = Endpoint.tcp(host: "192.168.1.9", port: 9442)
    private static let here = Endpoint.unix(path: "/run/hub.sock")

    @Test(arguments: ["/etc/../etc/hostname", "/etc/hostname"])
    func `a path becomes absolute and plain`(path: String) throws {
        #expect(try LocalPath.uri(for: path, hub: Self.here) == "/etc/hostname")
    }

    @Test func `a relative path is of the folder one stands in`() throws {
        #expect(try LocalPath.uri(for: ".", hub: Self.here).hasPrefix("/"))
    }

    @Test(arguments: ["http://radio.example/a b?c", "file:track/x", "demo:album", "subsonic+1:song"])
    func `the name of an item goes as it is, wherever the hub is`(uri: String) throws {
        #expect(try LocalPath.uri(for: uri, hub: Self.here) == uri)
        #expect(try LocalPath.uri(for: uri, hub: Self.elsewhere) == uri)
    }

    @Test func `a file URL is a file of this machine`() throws {
        #expect(try LocalPath.uri(for: "file:///etc/hostname", hub: Self.here) == "file:///etc/hostname")
        #expect(stop { _ = try LocalPath.uri(for: "FILE:///etc/hostname", hub: Self.elsewhere) }?.exit == .refused)
    }

    @Test(arguments: ["missing.flac", "./missing.flac", "/missing.flac", "~/missing.flac", "a folder/missing: part 1.flac"])
    func `a file that is missing is missed here`(path: String) {
        let stop = stop { _ = try LocalPath.uri(for: path, hub: Self.here) }

        #expect(stop?.exit == .refused && stop?.sentence == "There is no file “\(path)” here.")
    }

    @Test func `a file of this machine is not sent to another one`() {
        let stop = stop { _ = try LocalPath.uri(for: "/etc/hostname", hub: Self.elsewhere) }

        #expect(stop?.exit == .refused)
        #expect(stop?.sentence.contains("“/etc/hostname” is a file on this machine") == true)
        #expect(stop?.sentence.contains("192.168.1.9:9442") == true)
    }

    @Test func `a path that is not here may be one of the hub's own`() throws {
        #expect(try LocalPath.uri(for: "/srv/music/missing.flac", hub: Self.elsewhere) == "/srv/music/missing.flac")
    }

    @Test func `many names go in parts that fit into a message`() {
        let uris = (0..<1200).map { "file:track/\($0)" } + [String(repeating: "x", count: 20_000), "last"]

        let parts = Array(URIParts(uris))

        #expect(parts.flatMap { $0 } == uris)
        #expect(parts.allSatisfy { $0.count == 1 || $0.reduce(0) { $0 + $1.utf8.count + 8 } <= 12_000 && $0.count <= 500 })
    }

    // MARK: Times and forms

    @Test(arguments: [
        (1_799_990, "30 min"), (1_790_000, "30 min"), (1_760_000, "29 min"), (60_000, "1 min"), (59_800, "1 min"), (45_400, "45 s"),
    ])
    func `what is left is rounded to what is nearest`(ms: Milliseconds, text: String) {
        #expect(TimeText.left(ms: ms) == text)
    }

    @Test(arguments: [("plya", "play"), ("pasue", "pause"), ("stauts", "status")])
    func `a verb whose letters changed places is guessed`(word: String, verb: String) {
        #expect(
            stop {
                _ = try CommandLineText(
                    [word], ProcessEnvironment(environment: [:], hostName: "here", home: "/", user: 0, workingFolder: "/"))
            }?.sentence.contains("Did you mean \(verb)?") == true)
    }

    @Test(arguments: [(0, "0:00"), (999, "0:00"), (83_000, "1:23"), (3_723_000, "1:02:03"), (-5, "0:00")])
    func `a time as people read it`(ms: Milliseconds, text: String) {
        #expect(TimeText.show(ms: ms) == text)
    }

    @Test func `a form is filled, and an unknown field is named with those there are`() throws {
        let status = StatusText(mirror: Mirror(), positionMs: 61_000)

        #expect(try status.filled(into: FormatText("{state} {position}{title}, {")) == "stopped 1:01, {")
        #expect(try status.filled(into: FormatText(#"%state%\t{elapsed} 100 % of 5%\n"#)) == "stopped\t1:01 100 % of 5%\n")
        for text in ["{state} {colour}", "%state% %colour%"] {
            let stop = stop { _ = try FormatText(text) }
            #expect(stop?.exit == .usage && stop?.sentence.contains("colour") == true && stop?.sentence.contains("artist") == true)
        }
    }

    @Test func `an empty room says how to fill it`() {
        #expect(
            StatusText(mirror: Mirror(), positionMs: 0).lines.contains { $0.contains("The queue is empty.") && $0.contains("baton play") })
    }
}
