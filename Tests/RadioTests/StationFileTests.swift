/// Lists of stations as programs write them, and broken ones.
import BatonCore
import BatonSeams
import Testing

@testable import StationLists

@Suite struct StationFileTests {
    private static func read(_ text: String) throws(SourceFault) -> StationFile { try StationFile(Array(text.utf8), named: "x/list\n1") }

    private static func sentence(_ text: String) -> String? {
        do throws(SourceFault) {
            _ = try read(text)
            return nil
        } catch {
            return error.sentence
        }
    }

    @Test(arguments: [
        "#EXTM3U\n#PLAYLIST:Mine\n#EXTINF:-1,Harbour FM - Live\nhttp://a.example/live\n#EXTINF:-1,Two\nhttps://b.example/2?x=1&y=2\nfile.mp3\n",
        "[playlist]\nNumberOfEntries=3\nFile1=http://a.example/live\nTitle1=Harbour FM - Live\nFile2=https://b.example/2?x=1&y=2\nTitle2=Two\nFile3=file.mp3\n",
        """
        \u{FEFF}<?xml version="1.0"?><!DOCTYPE opml><opml version="2.0"><head><title>Mine</title></head><body><outline text="Folder">
        <outline text="Harbour FM - Live" type="audio" URL="http://a.example/live"/>
        <outline title='Two' url='https://b.example/2?x=1&amp;y=2'></outline><outline text="none" xmlUrl="file.mp3"/></outline></body></opml>
        """,
        """
        <playlist xmlns="http://xspf.org/ns/0/"><title>Mine</title><trackList><track><location>http://a.example/live</location>
        <title>Harbour <![CDATA[FM]]> - Live</title></track><track><title>Two</title><location>
        https://b.example/2?x=1&y=2 </location></track><track><location>file.mp3</location></track></trackList></playlist>
        """,
        """
        [{"name":"Harbour FM - Live","url":"http://a.example/live.pls","url_resolved":"http://a.example/live","lastchangetime":18446744073709551615},
        {"name":"Two","url":"https://b.example/2?x=1&y=2","url_resolved":""},{"name":"none","url":"file.mp3"}]
        """,
    ])
    func `each kind of list says the same`(text: String) throws {
        let list = try Self.read(text)

        #expect(list.stations.map(\.title) == ["Harbour FM - Live", "Two"])
        #expect(list.stations.map(\.url) == ["http://a.example/live", "https://b.example/2?x=1&y=2"])
        #expect(list.passedOver == 1)
    }

    @Test func `a directory says where a station is and what it plays`() throws {
        let text =
            #"[{"name":" Jazz\n24 ","url":"http://a/x","favicon":"http://a/i.png","country":"France","language":"french","tags":"jazz, swing,,jazz"}]"#
        let station = try Self.read(text).stations[0]
        #expect(
            station
                == Station(
                    title: "Jazz 24", url: "http://a/x", picture: "http://a/i.png", country: "France", language: "french",
                    tags: ["jazz", "swing"]))
    }

    @Test func `a station without a name is called by its address, on one line`() throws {
        let text = "[playlist]\nFile1=http://a.example/im\u{A0}\u{96}a\nFile2=http://a.example/%0A\n"
        #expect(try Self.read(text).stations.map(\.title) == ["im a", "Radio"])
    }

    @Test func `a directory is read alike in pieces of any size`() throws {
        let text = #"[ {"name":"A \"{\" }","url":"http://a/1"} , {"name":"B\\","url":"http://a/2","geo":{"x":[1,{}]}} ]"#
        for size in 1...9 {
            var directory = StationDirectory()
            var found: [Station] = []
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                found += try directory.take(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            try directory.end()
            #expect(found.map(\.title) == ["A \"{\" }", "B\\"])
        }
    }

    @Test func `what cannot be read is said with its name and its reason`() {
        let deep = "<opml>" + String(repeating: "<outline>", count: 10_000)
        let entities = "<!DOCTYPE opml [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><opml><outline URL=\"http://a/&b;\"/></opml>"
        for (text, words) in [
            (deep, "64 deep"), (entities, "entities of its own"), ("<!doctype html><html><p>Hello", "a web page"),
            ("#EXTM3U\n#EXT-X-TARGETDURATION:4\n", "HLS"), ("", "no list of stations"), ("\0\0", "no list of stations"),
            ("#EXTM3U\nfile.mp3", "names no http"), ("[{\"name\":\"A\",", "ends in the middle"), ("[{\"name\":}]", "cannot be read"),
            ("[1,2]", "no JSON"), (String(repeating: "#EXTM3U\n", count: 1 << 20) + "http://a/", "larger than 8 MiB"),
        ] {
            #expect(Self.sentence(text)?.contains(words) == true, "\(words): \(Self.sentence(text) ?? "read")")
            #expect(Self.sentence(text)?.hasPrefix("“x/list 1” cannot be read: ") == true)
        }
    }

    @Test func `an ampersand that begins no reference stands for itself`() {
        for (written, meant) in [
            ("a&amp;b", "a&b"), ("a&b=1&c;", "a&b=1&c;"), ("&#65;&#x42;&quot;", "AB\""), ("&#1114112;&", "&#1114112;&"), ("&b;", "&b;"),
        ] { #expect(XMLScanner.decoded(written[...]) == meant) }
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `broken lists end, and with stations that can be kept`(seed: UInt64) {
        var random = SeededGenerator(seed)
        let words = [
            "<opml>", "<outline ", "URL=\"http://a/\"", "'", "\"", ">", "/>", "</", "<!--", "-->", "&amp", ";", "<![CDATA[", "=", "é", "\n",
        ]
        let text =
            ["<opml", "<playlist>", "[{", "#EXTM3U\nhttp://a/"].randomElement(using: &random)!
            + (0..<40).map { _ in words.randomElement(using: &random)! }.joined()
        for station in (try? Self.read(text))?.stations ?? [] { #expect(station.checked == station, "seed \(seed)") }
    }
}
