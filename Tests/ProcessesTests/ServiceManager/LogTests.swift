/// The lines of the log that admins read: the last ones, in their order, without secrets.
import BatonSeams
import Testing

@testable import Processes

@Suite struct LogRingTests {
    private let ring = LogRing()

    private func add(_ range: ClosedRange<Int>, _ level: Log.Level = .notice) { for number in range { ring.add(level, "line \(number)") } }

    private func texts(after: Int? = nil, limit: Int = 1000, from level: Log.Level = .trace) -> [String] {
        ring.lines(from: level, after: after, limit: limit).lines.map(\.text)
    }

    @Test func `the newest lines come in their order`() {
        add(1...5)

        #expect(texts(limit: 2) == ["line 4", "line 5"])
        #expect(texts(after: 2) == ["line 3", "line 4", "line 5"])
        #expect(ring.lines(from: .trace, after: 5, limit: 10) == LogRing.Found(lines: [], newest: 5, missed: 0))
    }

    @Test func `lines of a lower level are left out, and the next question begins behind them`() {
        add(1...1, .error)
        add(2...9, .debug)

        let found = ring.lines(from: .warning, after: 0, limit: 10)

        #expect(found.lines.map(\.text) == ["line 1"] && found.newest == 9)
    }

    @Test func `a thousand lines are held, and a reader hears how many it missed`() {
        add(1...1500)

        let found = ring.lines(from: .trace, after: 100, limit: 3)

        #expect(found.lines.map(\.number) == [501, 502, 503] && found.missed == 400)
        #expect(found.newest == 503, "A reader who asks again gets the next lines.")
        #expect(texts().count == 1000 && texts().last == "line 1500")
    }

    @Test func `a number of an earlier life of the hub is answered from the beginning`() {
        add(1...3)

        #expect(texts(after: 900) == ["line 1", "line 2", "line 3"])
    }

    @Test func `a long sentence is cut between characters`() throws {
        ring.add(.notice, String(repeating: "ä", count: 700))

        let text = try #require(texts().first)
        #expect(text.utf8.count <= 1000 && text.hasSuffix("ä…"))
    }
}

/// BT-LOG-001
@Suite struct SecretTextTests {
    static let secrets: [(sentence: String, shown: String)] = [
        ("http://anna:hush@attic.example/rest failed.", "http://…@attic.example/rest failed."),
        (
            "GET https://attic/rest/ping.view?u=anna&t=HUSH&s=HUSH2&v=1.16 answered 500.",
            "GET https://attic/rest/ping.view?u=…&t=…&s=…&v=1.16 answered 500."
        ),
        ("https://feed.example/show?token=HUSH, and more", "https://feed.example/show?token=…, and more"),
        ("Authorization: Bearer HUSH.HUSH", "Authorization: Bearer …"), ("It sent Bearer HUSH to them", "It sent Bearer … to them"),
        ("password = HUSH", "password = …"), (#"{"password":"HUSH it","user":"anna"}"#, #"{"password":"…","user":"anna"}"#),
        ("api_key: HUSH; next", "api_key: …; next"), ("/media/ABCDEFGHIJKLMNOPQRST is gone", "/media/… is gone"),
        ("Cookie: baton=HUSH", "Cookie: …"), ("Authorization: Basic aHVzaA==", "Authorization: Basic …"),
    ]

    @Test(arguments: secrets) func `a secret is no part of a line`(secret: (sentence: String, shown: String)) {
        #expect(SecretText.removed(from: secret.sentence) == secret.shown)
    }

    @Test(arguments: [
        "Up to 1024 descriptors, 5000 connections.", "The page is at http://127.0.0.1:9442/.", "Your password was changed.",
        "/music/media/a.flac cannot be read: Permission denied.", "batond.conf:7: key \"volum\" is unknown. Expected: volume.",
        "The account “attic” at https://attic.example:4533/music: no answer (status 500).",
        "token_file is /etc/baton/studio.token: No such file.",
        "wss://[fe80::1]:9443 said: 403", "äöü = ä",
    ]) func `a sentence without one stays as it is`(sentence: String) {
        #expect(SecretText.removed(from: sentence) == sentence)
    }
}
