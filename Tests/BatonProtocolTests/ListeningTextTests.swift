/// The answer to a device that plays along, and its report: the exact text, and its way back.
import BatonCore
import BatonProtocol
import BatonWire
import Testing

@Suite struct ListeningTextTests {
    /// The answers that are tested here.
    static let contents: [any AnswerCoding.Type] = [ListeningAnswer.self, MadeListenLink.self, ListenLinkList.self]

    /// BT-CMD-listen.here
    @Test func `a line and two items`() throws {
        let answer = ListeningAnswer(
            line: .init(entry: EntryID(7), positionUs: 93_002_417, atUs: 88_374_455_140, rate: 1000),
            items: [
                .init(entry: EntryID(7), url: "/media/abc", untilMs: 9, startMs: 1000, endMs: 2000),
                .init(entry: EntryID(8), sentence: "It is live."),
            ])
        let expected =
            #"{"line":{"entry":"q7","posUs":93002417,"atUs":88374455140,"rate":1000},"items":["#
            + #"{"entry":"q7","url":"/media/abc","untilMs":9,"startMs":1000,"endMs":2000},{"entry":"q8","msg":"It is live."}]}"#
        #expect(text { answer.encode(into: &$0) } == expected)
        #expect(try ListeningAnswer(from: parse(expected)) == answer)
    }

    /// BT-CMD-listen.link, BT-CMD-listen.links
    @Test func `links of streams, and what opens one`() throws {
        let made = MadeListenLink(link: "x7", opus: "/listen/a.opus?key=k", mp3: "/listen/a.mp3?key=k", list: "/listen/a.m3u?key=k")
        let opening = #"{"link":"x7","opus":"/listen/a.opus?key=k","mp3":"/listen/a.mp3?key=k","m3u":"/listen/a.m3u?key=k"}"#
        let list = ListenLinkList([.init(link: "x7", name: "Car", author: "Ana", madeMs: 5), .init(link: "x8", madeMs: 6)], hearing: 2)
        let rows = #"{"list":[{"link":"x7","name":"Car","by":"Ana","madeMs":5},{"link":"x8","madeMs":6}],"n":2}"#

        #expect(text { made.encode(into: &$0) } == opening)
        #expect(try MadeListenLink(from: parse(opening)) == made)
        #expect(text { list.encode(into: &$0) } == rows)
        #expect(try ListenLinkList(from: parse(rows)) == list)
        #expect(try ListenLinkList(from: parse(#"{"list":[]}"#)) == ListenLinkList([]))
    }

    @Test func `nothing is current`() throws {
        #expect(text { ListeningAnswer().encode(into: &$0) } == "{}")
        #expect(try ListeningAnswer(from: parse("{}")) == ListeningAnswer())
        #expect(try ListeningAnswer(from: parse(#"{"items":[]}"#)) == ListeningAnswer(items: []))
    }

    @Test func `a report stands in the list of listeners, and a number out of its bounds is none`() throws {
        let kitchen = ListenersSection.Listener(
            who: "0f31", name: "Kitchen", role: .listener, sinceMs: 1, hears: true,
            report: ListenerReport(driftUs: -410, delayMs: 120, bufferMs: 251_000, starts: 1))
        let written =
            #"{"list":[{"who":"0f31","name":"Kitchen","role":"listener","sinceMs":1,"hears":true,"#
            + #""report":{"driftUs":-410,"delayMs":120,"bufferMs":251000,"starts":1}}]}"#
        #expect(text(ListenersSection(listeners: [kitchen]).encode) == written)
        #expect(try ListenersSection(from: parse(written)).listeners == [kitchen])
        let wild = try ListenersSection(from: parse(written.replacing("-410", with: "-99999999999")))
        #expect(wild.listeners.first?.report == ListenerReport(delayMs: 120, bufferMs: 251_000, starts: 1))
    }

    @Test(arguments: [(0, true), (30_000, true), (-30_000, true), (30_001, false)]) func `in step is within 30 ms`(
        driftUs: Microseconds, isInStep: Bool
    ) {
        #expect(ListenerReport(driftUs: driftUs).isInStep == isInStep)
        #expect(!ListenerReport().isInStep)
    }
}
