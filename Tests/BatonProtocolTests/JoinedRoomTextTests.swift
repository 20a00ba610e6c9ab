/// The answer about a joined room: the exact text, and its way back.
import BatonCore
import BatonProtocol
import BatonWire
import Testing

@Suite struct JoinedRoomTextTests {
    /// The answers that are tested here.
    static let contents: [any AnswerCoding.Type] = [JoinedRoomInfo.self]

    /// BT-CMD-room.joined
    @Test func `a joined room`() throws {
        var info = JoinedRoomInfo()
        (info.source, info.room, info.name, info.state) = ("loft", "main", "Main", .waiting)
        (info.sentence, info.attempt, info.listeners, info.listenerCount) = ("It tries again.", 2, ["anna"], 3)
        (info.length, info.expectedMs, info.ownMs, info.driftMs, info.speed) = (12, 61_204, 61_198, -6, 1005)
        info.events = [JoinedRoomInfo.Event(atMs: 7, text: "Connected.")]
        let expected =
            #"{"source":"loft","room":"main","name":"Main","state":"waiting","msg":"It tries again.","tries":2,"who":["anna"],"count":3,"#
            + #""length":12,"expectedMs":61204,"ownMs":61198,"driftMs":-6,"speed":1005,"#
            + #""events":[{"atMs":7,"text":"Connected."}]}"#
        #expect(text { info.encode(into: &$0) } == expected)
        #expect(try JoinedRoomInfo(from: parse(expected)) == info)
    }

    @Test func `a room that plays its own queue`() throws {
        #expect(text { JoinedRoomInfo().encode(into: &$0) } == "{}")
        #expect(try JoinedRoomInfo(from: parse("{}")) == JoinedRoomInfo())
    }
}
