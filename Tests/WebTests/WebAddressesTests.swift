/// Addresses on the web as items.
import BatonCore
import BatonSeams
import Testing
import Web

@Suite struct WebAddressesTests {
    @Test(arguments: [
        ("http://radio.example:8000", "radio.example:8000"), ("HTTPS://x.example/a/04%20-%20Song.mp3?token=1", "Song"),
        ("http://user:pw@x.example/", "x.example"), ("http://x.example/live#now", "live"),
    ])
    func `a web address is an item with a title from its end`(address: String, title: String) async throws {
        let offers = try await WebAddresses().expand(ItemURI(address), trust: .musicFolders)

        #expect(offers.map(\.tags.title) == [title])
        #expect(offers[0].uri.text.hasPrefix("http"))
        #expect(try await WebAddresses().resolve(offers[0].uri, trust: .musicFolders) == Playable(.url(offers[0].uri.text)))
    }

    @Test func `a guest may not name addresses, and no one a broken one`() async throws {
        let guest = await #expect(throws: SourceFault.self) { try await WebAddresses().expand(ItemURI("http://x/"), trust: .itemsOnly) }
        #expect(guest?.code == .forbidden)
        for text in ["http://", "http:///x", "ftp://x/y", "http://x/a b", "http://x/\r\nHost: y", "http:x"] {
            let fault = await #expect(throws: SourceFault.self) { try await WebAddresses().expand(ItemURI(text), trust: .anyPath) }
            #expect(fault?.code == .unsupported)
        }
    }
}
