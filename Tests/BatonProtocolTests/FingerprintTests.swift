/// A repeat is known by what it asks, in every process alike.
import BatonCore
import BatonProtocol
import BatonWire
import Testing

@Suite struct FingerprintTests {
    private func print(_ text: String) throws -> UInt64 {
        guard case .command(let frame) = try ClientMessage.decode(utf8(text)) else { throw CancellationError() }
        return frame.fingerprint
    }

    @Test func `the hash is the same in every process and version`() throws {
        #expect(try print(#"{"t":"cmd","id":17,"m":"next","k":"c3f1a9","p":{"from":"q7f3"}}"#) == pinned)
        #expect(CommandFrame(id: 1, method: "next", params: ["from": "q7f3"]).fingerprint == pinned)
    }

    private let pinned: UInt64 = 14_694_504_185_141_424_254

    @Test func `the order of members, the id, the key and the way a number is written do not matter`() throws {
        let one = try print(#"{"t":"cmd","id":1,"m":"queue.replace","k":"aaaa","p":{"base":1,"uris":["a","b"],"start":2,"posMs":100}}"#)
        let other = try print(
            #"{"k":"bbbb","p":{"posMs":1e2,"start":2.0,"uris":["a","b"],"base":1},"t":"cmd","m":"queue.replace","id":9,"ct":4,"ttl":5}"#)
        #expect(one == other)
    }

    @Test(arguments: [
        #""m":"stop""#, #""m":"pause","room":"living""#, #""m":"pause","p":{"a":1}"#, #""m":"pause","p":{"a":null}"#,
        #""m":"pause","p":{"a":"1"}"#,
        #""m":"pause","p":{"a":[1]}"#, #""m":"pause","p":{"a":{}}"#, #""m":"pause","p":{"a":true}"#, #""m":"pause","p":{"a":1.5}"#,
        #""m":"pause","p":{"b":1}"#, #""m":"pause","p":{"a":1,"b":1}"#,
    ])
    func `a command that asks something else has another hash`(members: String) throws {
        #expect(try print("{\"t\":\"cmd\",\"id\":1,\(members)}") != print(#"{"t":"cmd","id":1,"m":"pause"}"#))
    }

    @Test func `the order of a list matters`() throws {
        let forwards = try print(#"{"t":"cmd","id":1,"m":"queue.remove","p":{"ids":["q1","q2"]}}"#)
        let backwards = try print(#"{"t":"cmd","id":1,"m":"queue.remove","p":{"ids":["q2","q1"]}}"#)
        #expect(forwards != backwards)
    }
}
