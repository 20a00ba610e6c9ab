/// The answers about users: the exact text, and its way back.
import BatonCore
import BatonWire
import Testing

@testable import BatonProtocol

@Suite struct UserTextTests {
    static let contents: [any AnswerCoding.Type] = [
        SignedInUser.self, OwnUser.self, UserList.self, UserSessionList.self, ExportedRows.self, SharedPlaylist.self, RoomControl.self,
    ]

    static let answers: [(any AnswerCoding, String)] = [
        (
            SignedInUser(user: "Anna", role: .remote, token: "t0", session: "s0", expiresMs: 5),
            #"{"user":"Anna","role":"remote","token":"t0","session":"s0","expiresMs":5}"#
        ),
        (
            OwnUser(role: .admin, signUp: "approve", guests: "off"),
            #"{"role":"admin","signup":"approve","guests":"off"}"#
        ),
        (
            OwnUser(user: "Ben", role: .guest, session: "s1", isGuest: true, expiresMs: 9, signUp: "off", guests: "guest"),
            #"{"user":"Ben","role":"guest","session":"s1","guest":true,"expiresMs":9,"signup":"off","guests":"guest"}"#
        ),
        (
            UserList(
                [UserList.Row(user: "Anna", role: .admin, createdMs: 7, sessions: 2, waits: true, devices: [DeviceID("d_1")])], more: 3),
            #"{"list":[{"user":"Anna","role":"admin","createdMs":7,"sessions":2,"waits":true,"devices":["d_1"]}],"more":3}"#
        ),
        (
            UserSessionList([UserSessionList.Row(session: "s", createdMs: 8, address: "10.0.0.1", isHere: true)]),
            #"{"list":[{"session":"s","createdMs":8,"from":"10.0.0.1","here":true}]}"#
        ),
        (
            ExportedRows([PersonRow("mark").adding("uri", "file:a").adding("stars", 4)], total: 2, cursor: "1"),
            #"{"total":2,"rows":[{"kind":"mark","uri":"file:a","stars":4}],"cursor":"1"}"#
        ),
        (RoomControl(.named, names: ["anna"]), #"{"who":"named","users":["anna"]}"#),
        (SharedPlaylist(sharing: .link, link: "w"), #"{"share":"link","link":"w"}"#),
    ]

    @Test(arguments: answers) func `an answer about users is read as it was written`(
        content: any AnswerCoding, written: String
    ) throws {
        let sent = String(decoding: JSONWriter.bytes { content.encode(into: &$0, bytes: 10_000) }, as: UTF8.self)

        #expect(sent == written)
        #expect(try Self.isSame(content, JSON.parse(Array(written.utf8).span, limits: .standard)))
    }

    private static func isSame<Content: AnswerCoding>(_ content: Content, _ written: JSON) throws -> Bool {
        try Content(from: written) == content
    }

    @Test func `an export ends with its page, and goes on from there`() throws {
        let rows = (0..<100).map { PersonRow("mark").adding("uri", "file:\($0)") }
        let sent = JSONWriter.bytes { ExportedRows(rows, total: 300, cursor: "100").encode(into: &$0, bytes: 1000) }

        let page = try ExportedRows(from: JSON.parse(sent.span, limits: .standard))

        #expect(page.rows == Array(rows.prefix(page.rows.count)) && 5..<100 ~= page.rows.count)
        #expect(page.cursor == String(page.rows.count))
    }
}
