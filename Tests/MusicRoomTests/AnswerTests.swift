/// What a MusicRoom server says, in its spellings and with its lies.
import BatonCore
import BatonJSON
import BatonSeams
import Testing

@testable import BatonJoining

private let answers = MusicRoomAnswers(source: "loft")

private func news(_ text: String) -> ServerRoomNews? { answers.news(Array(text.utf8), atUs: 7) }

private func told(_ text: String) -> ServerRoomState? {
    if case .state(let state, _)? = news(text) { state } else { nil }
}

@Suite struct AnswerTests {
    @Test func `a state is read with its track, its place and its mode`() throws {
        let state = try #require(
            told(
                #"{"track":{"id":"sha256:9f","filename":"a.flac","title":null,"duration":201.4},"currentTimestamp":12.75,"channelId":"main","#
                    + #""channelName":"Main","description":"","paused":false,"currentIndex":4,"listenerCount":2,"isDefault":true,"playbackMode":"repeat-all"}"#
            ))
        #expect(state.room == "main" && state.name == "Main" && state.index == 4 && state.peopleCount == 2)
        #expect(state.positionMs == 12_750 && !state.isPaused && state.mode == .repeatAll && state.queue == nil)
        #expect(state.track?.uri == ItemURI("loft:track/sha256%3A9f"))
        #expect(state.track?.tags.title == "a" && state.track?.tags.durationMs == 201_400)
    }

    @Test func `both spellings, flags as numbers and missing members are read`() throws {
        let state = try #require(told(#"{"channel_id":"m","current_timestamp":"3.5","paused":1,"current_index":2}"#))
        #expect(state.room == "m" && state.positionMs == 3500 && state.isPaused && state.index == 2 && state.track == nil)
        let rooms = try #require(
            answers.rooms(
                in: try JSON.parse(Array(#"[{"id":1,"name":"One","is_default":1,"listeners":["anna",{"username":"bert"}]}]"#.utf8))))
        #expect(rooms == [ServerRoom(id: "1", name: "One", peopleCount: 2, people: ["anna", "bert"], isDefault: true)])
    }

    @Test func `a queue comes with the state, and a row that cannot be read keeps its place`() throws {
        let state = try #require(
            told(#"{"channelId":"m","currentTimestamp":0,"queue":[{"id":"a"},7,{"id":"b"}],"currentIndex":2,"track":{"id":"b"}}"#))
        #expect(state.queue?.entries.map(\.uri.text) == ["loft:track/a", "loft:track/unreadable", "loft:track/b"])
    }

    @Test func `of a queue that is too long the part around what plays is kept`() throws {
        let rows = (0..<25_000).map { #"{"id":"t\#($0)"}"# }.joined(separator: ",")
        let state = try #require(told(#"{"channelId":"m","currentTimestamp":0,"currentIndex":20000,"queue":[\#(rows)]}"#))
        let queue = try #require(state.queue)
        #expect(queue.length == 25_000 && queue.entries.count == PlaybackQueue.limit && queue.start == 15_000)
        #expect(queue.entries[5_000].uri == ItemURI("loft:track/t20000"))
    }

    @Test(arguments: [
        ("duration\":0", nil), ("duration\":-4", nil), ("duration\":40000000", nil), ("duration\":\"x\"", nil), ("duration\":2.5", 2500),
    ])
    func `a length that makes no sense is not known`(member: String, ms: Milliseconds?) throws {
        let state = try #require(told(#"{"channelId":"m","currentTimestamp":-5,"track":{"id":"a","\#(member)}}"#))
        #expect(state.track?.tags.durationMs == ms && state.positionMs == 0)
    }

    @Test func `typed messages are told from states`() {
        #expect(news(#"{"type":"switched","channelId":"c2"}"#) == .moved(to: "c2"))
        #expect(news(#"{"type":"kick","reason":"late"}"#) == .removed("late"))
        #expect(news(#"{"type":"error","message":"no"}"#) == .refused("no"))
        #expect(news(#"{"type":"other","channelId":"m","currentTimestamp":1}"#) == nil)
    }

    @Test(arguments: ["", "[", "{", "null", "7", "[[[[", #"{"a""#, #"{"queue":["#, #"{"queue":[1,]}"#, "{\"channelId\":\"m\\"])
    func `what is no message is left out`(text: String) { #expect(news(text) == nil) }

    @Test func `a library is cut into tracks, also inside of an object`() {
        let list = #"[ {"id":"a","title":"A \" ] }"} , {"id":"b","filename":"x/02 - Bee.mp3"}, {"title":"no id"} ]"#
        for text in [list, #"{"count":2,"deep":{"tracks":[1]},"tracks":\#(list),"z":[]}"#] {
            let tracks = answers.tracks(Array(text.utf8))
            #expect(tracks?.map(\.title) == ["A \" ] }", "Bee"])
        }
        #expect(answers.tracks(Array("nonsense".utf8)) == nil)
    }

    @Test(arguments: 0..<400) func `noise in an answer is refused or read, and nothing else`(seed: UInt64) {
        var random = SeededGenerator(seed)
        var bytes = Array(
            #"{"channelId":"m","currentTimestamp":1.5,"track":{"id":"a","duration":3},"queue":[{"id":"a"},{"id":"b"}],"hubs":["x"]}"#.utf8)
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: Int.random(in: 0..<bytes.count, using: &random))
            default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: Int.random(in: 0..<bytes.count, using: &random))
            }
        }
        if case .state(let state, _)? = answers.news(bytes, atUs: 0) {
            #expect(state.positionMs.isFinite && state.positionMs >= 0)
            #expect(state.queue.map { $0.entries.count <= PlaybackQueue.limit } ?? true)
        }
        _ = answers.tracks(bytes)
    }

    @Test func `a session is read of its cookie alone, and kept free of what could begin another header`() {
        #expect(MusicRoomLogin.session(in: "blastoise_session=ab.c_1; HttpOnly; Path=/") == "ab.c_1")
        #expect(MusicRoomLogin.session(in: "other=1") == nil)
        #expect(MusicRoomLogin.session(in: "blastoise_session=; Max-Age=0") == nil)
        #expect(!MusicRoomLogin.isSession("a\r\nb") && !MusicRoomLogin.isSession("a;b") && !MusicRoomLogin.isSession(""))
    }

    @Test func `orders are written as the contract guesses them`() {
        func order(_ action: ServerRoomAction) -> MusicRoomRequests.Order? { MusicRoomRequests.order(action, in: "c 1", of: "loft") }
        #expect(order(.seek(toMs: 45_500)) == .message(#"{"action":"seek","timestamp":45.500}"#))
        #expect(order(.jump(3)) == .message(#"{"action":"jump","index":3}"#))
        let path = "/api/channels/c%201/queue"
        #expect(
            order(.add([ItemURI("loft:track/sha256%3A1")], at: 5))
                == .call(.patch, path: path, body: #"{"add":["sha256:1"],"insertAt":5}"#))
        #expect(order(.remove([2, 7])) == .call(.patch, path: path, body: #"{"remove":[2,7]}"#))
        #expect(order(.move(from: 3, to: 1)) == .call(.patch, path: path, body: #"{"move":{"from":3,"to":1}}"#))
        #expect(order(.add([ItemURI("attic:track/1")], at: nil)) == nil)
    }
}
