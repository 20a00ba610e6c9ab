/// Every command, its parameters and their ranges (`Protocol/core/5-commands.md` and `Protocol/profiles`, "Commands").
import BatonCore
import BatonProtocol
import BatonWire
import Testing

@Suite struct RequestTests {
    private func frame(_ method: String, _ params: String, key: String? = "keykey") throws -> CommandFrame {
        CommandFrame(id: 7, method: method, key: key, params: try #require(try parse(params).object))
    }

    private func fault(_ method: String, _ params: String, key: String? = "keykey", limits: WireLimits = .standard) throws -> ProtocolFault?
    {
        let frame = try frame(method, params, key: key)
        do throws(ProtocolFault) {
            _ = try frame.command(within: limits)
            return nil
        } catch { return error }
    }

    private static func entry(_ text: String) -> EntryID { EntryID(text: text)! }  // Spelt by hand below.

    static let commands: [(String, String, any CommandRequest)] = [
        ("play", "{}", Commands.Play()),
        ("play", #"{"entry":"q7f3"}"#, Commands.Play(entry: entry("q7f3"))),
        ("play", #"{"entry":"q7f3","posMs":5000}"#, Commands.Play(entry: entry("q7f3"), positionMs: 5000)),
        ("play", #"{"posMs":0}"#, Commands.Play(positionMs: 0)),
        ("play", #"{"uri":"lib:album/1"}"#, Commands.Play(ItemURI("lib:album/1"))),
        ("play", #"{"uri":"lib:album/1","index":3,"posMs":100}"#, Commands.Play(ItemURI("lib:album/1"), index: 3, positionMs: 100)),
        ("pause", "{}", Commands.Pause()), ("stop", "{}", Commands.Stop()),
        ("toggle", #"{"want":"playing"}"#, Commands.Toggle(.playing)), ("toggle", #"{"want":"paused"}"#, Commands.Toggle(.paused)),
        ("next", "{}", Commands.Next()), ("next", #"{"from":"q7f3","n":2}"#, Commands.Next(from: entry("q7f3"), count: 2)),
        ("prev", "{}", Commands.Previous()),
        ("prev", #"{"from":"q1","restartMs":0}"#, Commands.Previous(from: entry("q1"), restartMs: 0)),
        ("jump", #"{"entry":"q7f3"}"#, Commands.Jump(entry("q7f3"))),
        ("seek", #"{"entry":"q7f3","posMs":83000}"#, Commands.Seek(entry: entry("q7f3"), positionMs: 83000)),
        ("seekBy", #"{"ms":-15000}"#, Commands.SeekBy(ms: -15000)),
        ("vol.set", #"{"level":42}"#, Commands.VolumeSet(42)), ("vol.step", #"{"d":-5}"#, Commands.VolumeStep(-5)),
        ("vol.mute", #"{"on":true}"#, Commands.VolumeMute(true)),
        ("mode.set", #"{"repeat":true}"#, Commands.ModeSet(repeat: true)),
        ("mode.set", #"{"shuffle":true,"speed":1500}"#, Commands.ModeSet(shuffle: true, speed: 1500)),
        ("mode.set", #"{"single":"once","consume":"on"}"#, Commands.ModeSet(single: .once, consume: .on)),
        ("queue.shuffle", #"{"base":911}"#, Commands.QueueShuffle(911)), ("queue.undo", "{}", Commands.QueueUndo()),
        ("queue.history", "{}", Commands.QueueHistory()),
        ("queue.save", #"{"source":"attic"}"#, Commands.QueueSave("attic")),
        ("queue.continue", #"{"source":"attic"}"#, Commands.QueueContinue("attic")),
        ("queue.get", "{}", Commands.QueueWindow(from: 0, count: 100)),
        ("queue.get", #"{"from":10,"n":20}"#, Commands.QueueWindow(from: 10, count: 20)),
        ("queue.get", #"{"ids":["q1","q2"]}"#, Commands.QueueWindow(ids: [entry("q1"), entry("q2")])),
        ("queue.add", #"{"uris":["a:b/c"]}"#, Commands.QueueAdd([ItemURI("a:b/c")], place: .end)),
        ("queue.add", #"{"uris":["a:b/c"],"at":"end"}"#, Commands.QueueAdd([ItemURI("a:b/c")], place: .end)),
        ("queue.add", #"{"uris":["a:b/c","/x y"],"at":"next"}"#, Commands.QueueAdd([ItemURI("a:b/c"), ItemURI("/x y")], place: .next)),
        ("queue.add", #"{"uris":["a:b/c"],"at":{"after":"q7"}}"#, Commands.QueueAdd([ItemURI("a:b/c")], place: .after(entry("q7")))),
        (
            "queue.add", #"{"uris":["a:b/c"],"at":{"after":null},"else":"end"}"#,
            Commands.QueueAdd([ItemURI("a:b/c")], place: .after(nil, orEnd: true))
        ),
        ("queue.remove", #"{"ids":["q1"]}"#, Commands.QueueRemove([entry("q1")])),
        ("queue.move", #"{"ids":["q1"],"after":"q2"}"#, Commands.QueueMove([entry("q1")], anchor: .after(entry("q2")))),
        ("queue.move", #"{"ids":["q1"],"after":null,"else":"end"}"#, Commands.QueueMove([entry("q1")], anchor: .after(nil, orEnd: true))),
        ("queue.clear", #"{"base":911}"#, Commands.QueueClear(911)),
        ("queue.clear", #"{"base":911,"keep":"current"}"#, Commands.QueueClear(911, keep: .current)),
        (
            "queue.replace", #"{"base":1,"uris":["a:b/c"],"start":0,"posMs":9}"#,
            Commands.QueueReplace(1, uris: [ItemURI("a:b/c")], positionMs: 9)
        ),
        ("room.create", #"{"name":"Kitchen"}"#, Commands.RoomCreate("Kitchen")),
        ("room.create", #"{"name":"Küche 1","output":"pulse/kitchen"}"#, Commands.RoomCreate("Küche 1", output: "pulse/kitchen")),
        ("room.rename", #"{"room":"main","name":"Den"}"#, Commands.RoomRename(RoomID("main"), name: "Den")),
        ("room.delete", #"{"room":"kitchen"}"#, Commands.RoomDelete(RoomID("kitchen"))),
        ("room.restore", #"{"room":"kitchen"}"#, Commands.RoomRestore(RoomID("kitchen"))),
        ("pl.restore", #"{"id":"p1"}"#, Commands.PlaylistRestore(PlaylistID("p1"))),
        ("listen.only", #"{"uri":"lib:track/1"}"#, Commands.ListenOnly(ItemURI("lib:track/1"))),
        (
            "listen.only", #"{"uri":"lib:album/1","index":2,"posMs":500}"#,
            Commands.ListenOnly(ItemURI("lib:album/1"), index: 2, positionMs: 500)
        ),
        ("room.set", #"{"whenEmpty":"pause"}"#, Commands.RoomSet(whenEmpty: .pause)),
        ("room.set", #"{"ceiling":70}"#, Commands.RoomSet(ceiling: 70)),
        (
            "room.set", #"{"room":"main","floor":0,"startMax":100,"output":null}"#,
            Commands.RoomSet(room: RoomID("main"), floor: 0, startMax: 100, output: .cleared)
        ),
        ("room.join", #"{"source":"loft"}"#, Commands.RoomJoin("loft")),
        ("room.join", #"{"source":"loft","room":"Main"}"#, Commands.RoomJoin("loft", room: "Main")),
        ("room.unjoin", "{}", Commands.RoomUnjoin()), ("room.joined", "{}", Commands.RoomJoined()),
        ("room.move", #"{"to":"kitchen"}"#, Commands.RoomMove(RoomID("kitchen"))),
        ("room.move", #"{"to":"kitchen","keep":true}"#, Commands.RoomMove(RoomID("kitchen"), keep: true)),
        ("hub.info", "{}", Commands.Info()),
        ("hub.log", "{}", Commands.ReadLog()),
        ("hub.log", #"{"level":"warning","after":7,"limit":1000}"#, Commands.ReadLog(level: .warning, after: 7, limit: 1000)),
    ]

    @Test(arguments: commands) func `a command becomes what it asks for`(
        method: String, params: String, command: any CommandRequest
    ) throws {
        #expect(try frame(method, params).command().isSame(as: command))
    }

    static let refused: [(String, String, String)] = [
        ("play", #"{"entry":"q1","uri":"a:b/c"}"#, "/p/entry"), ("play", #"{"index":1}"#, "/p/index"),
        ("play", #"{"posMs":-1}"#, "/p/posMs"),
        ("play", #"{"posMs":2147483648}"#, "/p/posMs"), ("play", #"{"uri":""}"#, "/p/uri"), ("play", #"{"uri":"a\nb"}"#, "/p/uri"),
        ("play", #"{"uri":"a","index":-1}"#, "/p/index"), ("play", #"{"uri":"a","index":10000}"#, "/p/index"),
        ("play", #"{"entry":7}"#, "/p/entry"),
        ("toggle", "{}", "/p/want"), ("toggle", #"{"want":"play"}"#, "/p/want"),
        ("next", #"{"from":"7f3"}"#, "/p/from"), ("next", #"{"from":"qQ"}"#, "/p/from"), ("next", #"{"from":"q+1"}"#, "/p/from"),
        ("next", #"{"from":"q007"}"#, "/p/from"),
        ("next", #"{"n":0}"#, "/p/n"), ("next", #"{"n":101}"#, "/p/n"), ("next", #"{"from":null}"#, "/p/from"),
        ("prev", #"{"restartMs":-1}"#, "/p/restartMs"), ("prev", #"{"restartMs":600001}"#, "/p/restartMs"), ("jump", "{}", "/p/entry"),
        ("seek", "{}", "/p/posMs"), ("seek", #"{"posMs":-1}"#, "/p/posMs"), ("seek", #"{"posMs":1.5}"#, "/p/posMs"),
        ("seek", #"{"posMs":"0"}"#, "/p/posMs"),
        ("seekBy", "{}", "/p/ms"), ("seekBy", #"{"ms":-2147483648}"#, "/p/ms"),
        ("vol.set", "{}", "/p/level"), ("vol.set", #"{"level":-1}"#, "/p/level"), ("vol.set", #"{"level":101}"#, "/p/level"),
        ("vol.set", #"{"level":true}"#, "/p/level"), ("vol.set", #"{"level":42.5}"#, "/p/level"), ("vol.step", #"{"d":101}"#, "/p/d"),
        ("vol.step", #"{"d":-101}"#, "/p/d"), ("vol.mute", #"{"on":1}"#, "/p/on"), ("vol.mute", "{}", "/p/on"),
        ("mode.set", #"{"repeat":"twice"}"#, "/p/repeat"), ("mode.set", #"{"shuffle":1}"#, "/p/shuffle"),
        ("mode.set", #"{"single":"twice"}"#, "/p/single"), ("mode.set", #"{"single":"once","consume":true}"#, "/p/consume"),
        ("mode.set", #"{"repeat":"one","consume":"on"}"#, "/p/repeat"), ("queue.shuffle", "{}", "/p/base"),
        ("mode.set", #"{"speed":499}"#, "/p/speed"), ("mode.set", #"{"speed":3001}"#, "/p/speed"),
        ("queue.get", #"{"n":0}"#, "/p/n"), ("queue.get", #"{"n":101}"#, "/p/n"), ("queue.get", #"{"from":-1}"#, "/p/from"),
        ("queue.get", #"{"ids":[]}"#, "/p/ids"),
        ("queue.get", #"{"ids":["x"]}"#, "/p/ids/0"),
        ("queue.add", "{}", "/p/uris"), ("queue.add", #"{"uris":[]}"#, "/p/uris"), ("queue.add", #"{"uris":["a",7]}"#, "/p/uris/1"),
        ("queue.add", #"{"uris":["a"],"at":"start"}"#, "/p/at"), ("queue.add", #"{"uris":["a"],"at":{}}"#, "/p/at/after"),
        ("queue.add", #"{"uris":["a"],"at":{"after":"x"}}"#, "/p/at/after"), ("queue.add", #"{"uris":["a"],"else":"head"}"#, "/p/else"),
        ("queue.remove", "{}", "/p/ids"), ("queue.remove", #"{"ids":[]}"#, "/p/ids"), ("queue.move", #"{"ids":["q1"]}"#, "/p/after"),
        ("queue.move", #"{"ids":["q1"],"after":7}"#, "/p/after"), ("queue.clear", "{}", "/p/base"),
        ("queue.clear", #"{"base":1,"keep":"all"}"#, "/p/keep"),
        ("room.create", "{}", "/p/name"), ("room.create", #"{"name":""}"#, "/p/name"), ("room.create", #"{"name":" x"}"#, "/p/name"),
        ("room.create", #"{"name":"a\nb"}"#, "/p/name"), ("room.create", #"{"name":"a","output":""}"#, "/p/output"),
        ("room.create", "{\"name\":\"\(String(repeating: "x", count: 65))\"}", "/p/name"),
        ("room.rename", #"{"name":"a"}"#, "/p/room"), ("room.rename", #"{"room":"main"}"#, "/p/name"), ("room.delete", "{}", "/p/room"),
        ("room.set", #"{"ceiling":101}"#, "/p/ceiling"), ("room.set", #"{"floor":-1}"#, "/p/floor"),
        ("room.set", #"{"output":7}"#, "/p/output"), ("room.move", "{}", "/p/to"), ("room.move", #"{"to":"a","keep":1}"#, "/p/keep"),
        ("queue.replace", #"{"uris":["a"]}"#, "/p/base"), ("queue.replace", #"{"base":-1,"uris":["a"]}"#, "/p/base"),
    ]

    @Test(arguments: refused) func `a wrong parameter is named and nothing is guessed`(method: String, params: String, place: String) throws
    {
        let refused = try fault(method, params)
        #expect(refused?.code == .badRequest)
        #expect(refused?.at == place)
        #expect(refused?.id == 7)
        #expect(refused?.isStrike == false)
        #expect(refused?.sentence.hasSuffix(".") == true)
    }

    @Test(arguments: [
        ("vol.set", #"{"level":0}"#), ("vol.set", #"{"level":100}"#), ("vol.step", #"{"d":100}"#), ("vol.step", #"{"d":-100}"#),
        ("next", #"{"n":1}"#), ("next", #"{"n":100}"#), ("seek", #"{"posMs":0}"#), ("seek", #"{"posMs":2147483647}"#),
        ("seekBy", #"{"ms":-2147483647}"#), ("prev", #"{"restartMs":600000}"#), ("mode.set", #"{"speed":500}"#),
        ("mode.set", #"{"speed":3000}"#),
        ("queue.get", #"{"n":1}"#), ("queue.get", #"{"n":100,"from":10000}"#), ("play", #"{"uri":"a","index":9999}"#), ("mode.set", "{}"),
    ])
    func `the ends of every range are inside it`(method: String, params: String) throws {
        #expect(try fault(method, params) == nil)
    }

    @Test func `one command adds at most 500 items`() throws {
        func uris(_ count: Int) -> String { "{\"uris\":[" + Array(repeating: "\"a:b/c\"", count: count).joined(separator: ",") + "]}" }
        #expect(try fault("queue.add", uris(500)) == nil)
        #expect(try fault("queue.add", uris(501))?.code == .tooLarge)
        #expect(try fault("queue.add", uris(501))?.at == "/p/uris")

        var limits = WireLimits.standard
        limits.queueAdd = 2
        #expect(try fault("queue.add", uris(3), limits: limits)?.code == .tooLarge)
        #expect(try fault("queue.add", uris(3), limits: limits)?.reason == Reason(.tooMany, ["max": 2]))
    }

    @Test(arguments: [
        ("play", #"{"uri":"a"}"#), ("next", "{}"), ("prev", "{}"), ("seek", #"{"posMs":0}"#), ("seekBy", #"{"ms":1}"#),
        ("vol.step", #"{"d":1}"#),
        ("queue.add", #"{"uris":["a"]}"#), ("queue.clear", #"{"base":1}"#), ("queue.shuffle", #"{"base":1}"#), ("queue.undo", "{}"),
        ("queue.replace", #"{"base":1,"uris":["a"]}"#),
    ])
    func `what would count twice needs a key`(method: String, params: String) throws {
        #expect(try fault(method, params) == nil)
        #expect(try fault(method, params, key: nil)?.at == "/k")
    }

    @Test(arguments: [
        ("play", "{}"), ("pause", "{}"), ("stop", "{}"), ("toggle", #"{"want":"paused"}"#), ("jump", #"{"entry":"q1"}"#),
        ("vol.set", #"{"level":1}"#),
        ("vol.mute", #"{"on":false}"#), ("mode.set", "{}"), ("queue.get", "{}"), ("queue.remove", #"{"ids":["q1"]}"#),
        ("queue.move", #"{"ids":["q1"],"after":null}"#), ("hub.info", "{}"),
    ])
    func `what says how it shall be needs none`(method: String, params: String) throws {
        #expect(try fault(method, params, key: nil) == nil)
    }

    // BT-EXT-003
    @Test(arguments: ["x-acme.dim", "x-", "x-acme.play"]) func `a vendor's command is unknown to a hub without it`(method: String) throws {
        #expect(try fault(method, "{}")?.code == .unknownCommand)
    }

    @Test func `a command nobody knows is unknown`() throws {
        #expect(try fault("dance", "{}")?.code == .unknownCommand)
        #expect(try fault("Play", "{}")?.code == .unknownCommand)
    }

    @Test func `loudness is a measure and a few decibels`() throws {
        #expect(try fault("mode.set", #"{"gain":"album","preampDb":-3}"#) == nil)
        #expect(try fault("mode.set", #"{"gain":"loud"}"#)?.at == "/p/gain")
        #expect(try fault("mode.set", #"{"preampDb":16}"#)?.at == "/p/preampDb")
    }

    /// BT-CMD-007
    @Test(arguments: CommandKind.allCases) func `an unknown parameter is refused by its name, before anything else`(kind: CommandKind)
        throws
    {
        #expect(CommandKind.named(kind.rawValue) == kind)
        let refused = try fault(kind.rawValue, #"{"laterOn":1}"#, key: nil)
        #expect(refused?.code == .unsupported && refused?.at == "/p/laterOn" && refused?.reason?.word == "not_known")
    }

    @Test func `an unknown member of a place is refused by its name`() throws {
        let refused = try fault("queue.add", #"{"uris":["local:track/1"],"at":{"after":null,"before":"q1"}}"#)
        #expect(refused?.code == .unsupported && refused?.at == "/p/at/before")
    }

    @Test func `each role may what the one before it may`() {
        #expect(Role.allCases == Role.allCases.sorted())
        #expect(CommandKind.queueGet.role == .listener)
        #expect(CommandKind.hubInfo.role == .listener)
        #expect(CommandKind.queueAdd.role == .guest)
        #expect(CommandKind.next.role == .remote)
        #expect(CommandKind.roomSet.role == .admin)
    }
}

extension CommandRequest {
    /// Whether both are of one type, and equal.
    func isSame(as other: any CommandRequest) -> Bool { self == other as? Self }
}
