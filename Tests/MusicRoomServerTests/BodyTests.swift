/// What clients of music rooms send, in each form that is known, and what is wrong in it.
import BatonCore
import BatonJSON
import MusicRoomServer
import Testing

@Suite struct `Bodies of music rooms` {
    private func patch(_ text: String) throws -> ListPatch { try ListPatch(Array(text.utf8)) }
    private func action(_ text: String) throws -> RoomAction { try RoomAction(Array(text.utf8)) }

    @Test func `both spellings of a patch say the same`() throws {
        #expect(try patch(#"{"add":["a","b"],"insertAt":5}"#) == .add(["a", "b"], at: 5))
        #expect(try patch(#"{"trackIds":["a","b"],"insertAt":5}"#) == .add(["a", "b"], at: 5))
        #expect(try patch(#"{"trackIds":["a"]}"#) == .add(["a"], at: nil))
        #expect(try patch(#"{"trackIds":["a"],"insertAt":null}"#) == .add(["a"], at: nil))
        #expect(try patch(#"{"remove":[2,7]}"#) == .remove([2, 7]))
        #expect(try patch(#"{"indices":[2,7]}"#) == .remove([2, 7]))
        #expect(try patch(#"{"move":{"from":3,"to":1}}"#) == .move(from: 3, to: 1))
        #expect(try patch(#"{"set":[]}"#) == .set([]))
    }

    @Test func `the actions of a socket are read, and times are exact to a millisecond`() throws {
        #expect(try action(#"{"action":"pause"}"#) == .pause)
        #expect(try action(#"{"action":"unpause"}"#) == .unpause)
        #expect(try action(#"{"action":"seek","timestamp":45.5}"#) == .seek(ms: 45_500))
        #expect(try action(#"{"action":"seek","timestamp":0}"#) == .seek(ms: 0))
        #expect(try action(#"{"action":"jump","index":3,"more":{}}"#) == .jump(3))
        #expect(try action(#"{"action":"switch","channelId":"c2"}"#) == .move(to: "c2"))
    }

    @Test(arguments: [
        "", "[]", "null", "3", #"{"action":5}"#, #"{"action":"dance"}"#, #"{"action":"seek"}"#, #"{"action":"seek","timestamp":"1"}"#,
        #"{"action":"seek","timestamp":-1}"#, #"{"action":"seek","timestamp":1e300}"#, #"{"action":"seek","timestamp":99999999}"#,
        #"{"action":"jump"}"#, #"{"action":"jump","index":1.5}"#, #"{"action":"jump","index":-1}"#, #"{"action":"jump","index":true}"#,
        #"{"action":"switch","channelId":7}"#, #"{"action":"pause","action":"pause"}"#,
    ])
    func `a message that is wrong is a sentence`(text: String) {
        #expect { try self.action(text) } throws: { ($0 as? RoomFault)?.sentence.hasSuffix(".") == true }
    }

    @Test(arguments: [
        "{}", #"{"add":"a"}"#, #"{"add":[1]}"#, #"{"add":["a"],"remove":[1]}"#, #"{"add":["a"],"insertAt":-1}"#,
        #"{"add":["a"],"insertAt":"next"}"#, #"{"remove":[]}"#, #"{"remove":["1"]}"#, #"{"move":[1,2]}"#, #"{"move":{"from":1}}"#,
        #"{"set":{}}"#, #"{"add":[""]}"#,
    ])
    func `a patch that is wrong is a sentence`(text: String) {
        #expect { try self.patch(text) } throws: { ($0 as? RoomFault)?.sentence.hasSuffix(".") == true }
    }

    @Test func `a name of a megabyte and a list without end are refused`() {
        let name = String(repeating: "n", count: 1 << 20)
        let ids = Array(repeating: "\"a\"", count: ListPatch.most + 1).joined(separator: ",")

        #expect(throws: RoomFault.self) { try Credentials(Array(#"{"username":"\#(name)","password":"x"}"#.utf8)) }
        #expect(throws: RoomFault.self) { try RoomWish(making: Array(#"{"name":"\#(name)"}"#.utf8)) }
        #expect(throws: RoomFault.self) { try self.patch("{\"add\":[\(ids)]}") }
    }

    @Test func `a playlist that is sent back whole takes the place of what it was`() throws {
        let whole = Array(#"{"name":"Late","trackIds":["a","b"]}"#.utf8)

        #expect(try PlaylistWish(changing: whole).patch == .set(["a", "b"]))
        #expect(try PlaylistWish(making: whole).patch == .add(["a", "b"], at: nil))
        #expect(throws: RoomFault.self) { try PlaylistWish(making: Array("{}".utf8)) }
        #expect(throws: RoomFault.self) { try PlaylistWish(changing: Array("{}".utf8)) }
    }

    @Test(arguments: [(0, "0"), (12_750, "12.750"), (1_005, "1.005"), (201_400, "201.400"), (3_000, "3"), (-5, "0")])
    func `milliseconds are written as seconds without loss`(ms: Milliseconds, written: String) {
        let text = RoomText.object { $0.member("t", seconds: ms) }
        #expect(String(decoding: text, as: UTF8.self) == "{\"t\":\(written)}")
    }

    @Test func `texts of any kind are written as JSON`() throws {
        let text = "a\"b\\c\u{1}\u{7F}é\n"
        #expect(try JSON.parse(RoomText.object { $0.member("t", text) })["t"]?.string == text)
    }
}
