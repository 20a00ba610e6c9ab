import BatonSeams
import Testing

@testable import EventLoop

/// Addresses of servers, read whole or refused.
@Suite struct WebSocketURLTests {
    @Test(arguments: [
        ("wss://Music.example/ws?x=1", true, "music.example", 443, "/ws?x=1", "music.example"),
        ("ws://127.0.0.1:9000", false, "127.0.0.1", 9000, "/", "127.0.0.1:9000"),
        ("ws://[::1]:81/a", false, "::1", 81, "/a", "[::1]:81"), ("wss://h?q", true, "h", 443, "/?q", "h"),
    ])
    func `an address is taken apart`(text: String, isSecure: Bool, host: String, port: UInt16, target: String, name: String) throws {
        let url = try WebSocketURL(text)

        #expect(url.isSecure == isSecure && url.host == host && url.port == port && url.target == target && url.name == name)
    }

    @Test(arguments: [
        "http://h/", "ws:/h", "ws://", "ws://user@h/", "ws://h/#a", "ws://h:0/", "ws://h:99999/", "ws://h:/", "ws://h/ a", "ws://[::1",
        "ws://h\\x", "ws://[::1]x/",
    ])
    func `an address that another program could read otherwise is refused`(text: String) {
        #expect(throws: WebSocketFault.self) { _ = try WebSocketURL(text) }
    }
}
