import BatonClient
import BatonCore
import BatonProtocol
import Configuration
import Foundation
import Testing

@testable import baton

@Suite struct `Words that people know from other programs` {
    @Test func `an alias stands for a verb with its first words`() {
        #expect(Alias.expanded(["vol", "50%"]) == ["volume", "50%"])
        #expect(Alias.expanded(["remove", "2-4"]) == ["queue", "remove", "2-4"])
        #expect(Alias.expanded(["play", "vol"]) == ["play", "vol"])
        for alias in Alias.all {
            let verb = Verb.named(alias.means[0])
            #expect(verb != nil && Verb.named(alias.word) == nil, "\(alias.word)")
        }
    }

    @Test func `subcommands are those that the usages show`() throws {
        let queue = try #require(Verb.named("queue"))
        for word in ["add", "next", "remove", "move", "crop", "load", "undo"] { #expect(queue.subcommands.contains(word)) }
        #expect(Verb.named("mute")?.subcommands == ["on", "off"])
        #expect(Verb.named("jobs")?.subcommands.contains("unkeep") == true)
        #expect(Verb.named("status")?.subcommands == [])
    }

    @Test func `a sentence of the hub ends once`() throws {
        for state in [JoinedRoomInfo.State.waiting, .ended, .open, .connecting] {
            var info = JoinedRoomInfo()
            (info.source, info.name, info.state, info.sentence) = ("loft", "Main", state, "“Loft” ended the connection.")
            let said = JoinedWords.connection(info, to: "loft")
            #expect(said.hasSuffix(".") && !said.hasSuffix(".."), "\(said)")
        }
    }

    @Test func `options of one name are read alike, whichever verb they belong to`() {
        for option in Verb.allOptions {
            let first = Verb.allOptions.first { $0.name == option.name }
            #expect(option.shape == first?.shape && option.short == first?.short, "\(option.name)")
            #expect(!CommandLineText.common.contains { $0.name == option.name }, "\(option.name)")
        }
    }

    // MARK: Rows of the last listing

    @Test(arguments: [("3", 3...3), ("5-7", 5...7), ("2-2", 2...2)]) func `numbers of rows`(word: String, numbers: ClosedRange<Int>) {
        #expect(LastListing.numbers(word) == numbers)
    }

    @Test(arguments: ["0", "", "-3", "3-", "7-5", "1.5", "+1", "kid", "1-2-3", "٣"]) func `what is no number of a row`(word: String) {
        #expect(LastListing.numbers(word) == nil)
    }

    @Test func `a listing is read as it was kept, and a row that is not there is missed`() throws {
        let listing = LastListing(hub: "h", [.init(uri: "lib:track/1"), .init(uri: "file:a\nb"), .init(uri: "")])
        let kept = try #require(LastListing(text: listing.text))
        #expect(kept.hub == "h" && kept.rows.map(\.uri) == ["lib:track/1", "", ""] && !kept.isQueue)
        #expect(try kept.rows(1...1).map(\.uri) == ["lib:track/1"])
        #expect(throws: Stop.self) { try kept.rows(2...2) }
        #expect(throws: Stop.self) { try kept.rows(3...4) }
        let queue = LastListing(hub: "h", [.init(uri: "demo:1", entry: "q1")])
        #expect(LastListing(text: queue.text) == queue && queue.isQueue)
    }

    @Test func `a place in the queue is a number or a word`() throws {
        let others = try ["q1", "q2", "q3"].map { try #require(EntryID(text: $0)) }
        #expect(try QueueTarget("top").place(among: others, current: nil) == .after(nil))
        #expect(try QueueTarget("3").place(among: others, current: nil) == .after(others[1]))
        #expect(try QueueTarget("next").place(among: others, current: others[1]) == .after(others[1]))
        #expect(try QueueTarget("end").place(among: others, current: nil) == .after(others[2]))
        for text in ["0", "-1", "up", ""] { #expect(throws: Stop.self) { try QueueTarget(text) } }
    }

    @Test func `sections to wait for have the names of the protocol and those of other programs`() throws {
        #expect(try IdleSections.named("vol") == ["vol"])
        #expect(try IdleSections.named("mixer") == ["vol"])
        #expect(throws: Stop.self) { try IdleSections.named("volme") }
    }

    // MARK: Documents

    @Test func `every verb says what it prints as JSON, and every form is there`() throws {
        let document = try #require(try JSONSerialization.jsonObject(with: Data(JSONForms.document.utf8)) as? [String: Any])
        let (forms, verbs) = (document["$defs"] as? [String: Any], document["verbs"] as? [String: Any])
        for verb in Verb.all {
            #expect(verb.json.isEmpty == verb.isFullScreen && (verbs?[verb.name] == nil) == verb.isFullScreen, "\(verb.name)")
            for (word, form) in verb.json {
                #expect(word.isEmpty || verb.subcommands.contains(word) || word == "list", "\(verb.name) \(word)")
                let reference = form.reference
                if reference.hasPrefix("#/$defs/") { #expect(forms?[String(reference.dropFirst(8))] != nil, "\(verb.name): \(reference)") }
            }
        }
    }

    @Test func `signs of the language of manuals are written out`() {
        #expect(Roff.escaped(#"a-b \n `x`"#) == #"a\-b \en \(gax\(ga"#)
        #expect(Roff.escaped(".hidden") == "\\&.hidden")
    }

    private func words(_ line: String...) -> [String] { CommandLineSoFar(line).candidates.map(\.word) }

    @Test func `what is typed so far is completed from the table of verbs`() {
        #expect(words("vo") == ["volume", "vote", "vol"])
        #expect(words("queue", "re") == ["remove"])
        #expect(words("mute", "") == ["on", "off"])
        #expect(words("--room", "Bad", "repeat", "o") == ["on", "off", "one"])
        #expect(words("mode", "single", "o") == ["on", "off", "once"] && words("consume", "") == ["on", "off", "once"])
        #expect(words("search", "x", "--ki") == ["--kind"])
        #expect(words("search", "--kind", "alb") == ["album"])
        #expect(words("ls", "alb") == ["albums"])
        #expect(words("status", "--wa").isEmpty)
    }

    @Test func `what only the hub knows is asked of it`() {
        func asks(_ line: String...) -> [CommandLineSoFar.Ask] { CommandLineSoFar(line).asks }
        #expect(asks("move", "") == [.rooms])
        #expect(asks("--room", "") == [.rooms])
        #expect(asks("playlist", "show", "") == [.playlists])
        #expect(asks("load", "") == [.playlists])
        #expect(asks("play", "ki").contains(.items) && asks("play", "ki").contains(.files))
        #expect(asks("add", "one", "ki").contains(.items))
        #expect(asks("volume", "3").isEmpty)
        #expect(CommandLineSoFar(["--hub", "attic", "move", ""]).hub == "attic")
    }
}
