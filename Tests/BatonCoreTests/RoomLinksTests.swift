import Testing

@testable import BatonCore

/// The links of a room, as they are stored.
@Suite struct RoomLinksTests {
    private func link(_ id: String, name: String = "", author: String = "") -> RoomLinks.Link {
        .init(id: id, keyHash: (0..<32).map { UInt8($0 * 7) }, name: name, author: author, madeMs: 1_763_740_800_000)
    }

    @Test func `links come back from the text in which they are kept`() {
        var links = RoomLinks()
        #expect(links.add(link("a1", name: "my car\n100 %", author: "Ana Ü")) && links.add(link("b-2")))

        #expect(RoomLinks(text: links.text) == links)
        #expect(RoomLinks(text: "").all.isEmpty)
    }

    @Test(arguments: [
        "a", "a b c d e", "a1 00 5 x y", "a1 \(String(repeating: "zz", count: 32)) 5 x y", "a1 \(String(repeating: "0f", count: 32)) x y z",
    ])
    func `a line that cannot be read costs no other`(line: String) {
        let good = "ok \(String(repeating: "0f", count: 32)) 7  "

        #expect(RoomLinks(text: line + "\n" + good).all.map(\.id) == ["ok"])
    }

    @Test func `a room has so many links at most, and one that is revoked makes room`() throws {
        var room = Room(id: RoomID("a"), name: "A")
        for number in 0..<RoomLinks.most { #expect(try room.addLink(link("l\(number)")).mustBeStored) }

        #expect(throws: Refusal.self) { try room.addLink(link("more")) }
        _ = try room.removeLink("l3")
        #expect(throws: Refusal.self) { try room.removeLink("l3") }
        _ = try room.addLink(link("more"))
        #expect(room.links.all.last?.id == "more")
    }
}
