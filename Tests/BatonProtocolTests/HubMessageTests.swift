/// What a hub says: exact text, and how a client reads it back.
import BatonCore
import BatonProtocol
import BatonWire
import Testing

@Suite struct HubMessageTests {
    private func decode(_ text: String) throws(ProtocolFault) -> HubMessage { try HubMessage.decode(utf8(text)) }

    @Test func `welcome`() throws {
        let welcome = Welcome(
            core: "1.0", features: ["history@1", "rooms@2"], session: "s_82", epoch: "h9Kq", boot: "b7", role: .remote, caps: ["art"],
            pace: Pace(minMs: 250, maxMs: 30_000), mac: "0vYx",
            clock: ClockSample(t1: 512_345_678, t2: 88_123_456_789, t3: 88_123_456_911))
        let expected =
            #"{"t":"welcome","core":"1.0","features":["history@1","rooms@2"],"sess":"s_82","epoch":"h9Kq","boot":"b7","role":"remote","caps":["art"],"pace":[250,30000],"mac":"0vYx","t1":512345678,"t2":88123456789,"t3":88123456911}"#
        #expect(text(welcome.encode) == expected)
        #expect(try decode(expected) == .welcome(welcome))
    }

    @Test func `a role from a newer hub may at least look`() throws {
        guard
            case .welcome(let welcome) = try decode(
                #"{"t":"welcome","core":"1.0","features":[],"sess":"s","epoch":"e","boot":"b","role":"emperor","pace":[1,2],"t2":1,"t3":2}"#
            )
        else { return #expect(Bool(false), "This is a welcome.") }
        #expect(welcome.role == .listener)
    }

    @Test func `state, full, partial, empty and with a removed section`() throws {
        let volume = EncodedSection(VolumeSection(level: 43, isMuted: false))
        let full = text { StateHeader(revision: 48213, full: true, room: RoomID("living")).encode(into: &$0, sections: [volume]) }
        #expect(full == #"{"t":"state","full":1,"rev":48213,"room":"living","s":{"vol":{"level":43,"mute":false,"range":[0,100]}}}"#)
        let partial = text { StateHeader(revision: 9, from: 8).encode(into: &$0, sections: [EncodedSection(.now, nil), volume]) }
        #expect(partial == #"{"t":"state","rev":9,"from":8,"s":{"now":null,"vol":{"level":43,"mute":false,"range":[0,100]}}}"#)
        #expect(text { StateHeader(revision: 9, from: 9).encode(into: &$0, sections: []) } == #"{"t":"state","rev":9,"from":9,"s":{}}"#)

        let told = text { StateHeader(revision: 9, full: true, features: ["rooms@1"]).encode(into: &$0, sections: []) }
        #expect(told == #"{"t":"state","full":1,"rev":9,"s":{},"features":["rooms@1"]}"#)
        guard case .state(let telling) = try decode(told) else { return #expect(Bool(false), "This is a state.") }
        #expect(telling.header.features == ["rooms@1"])

        guard case .state(let update) = try decode(partial) else { return #expect(Bool(false), "This is a state.") }
        #expect(update.header == StateHeader(revision: 9, from: 8))
        #expect(try update.patch(NowSection.self) == .cleared)
        #expect(try update.patch(VolumeSection.self) == .set(VolumeSection(level: 43, isMuted: false)))
        #expect(try update.patch(ModesSection.self) == .unchanged)
    }

    @Test func `in a full state silence means that there is none`() throws {
        guard case .state(let update) = try decode(#"{"t":"state","full":1,"rev":1,"s":{"later":{}}}"#) else {
            return #expect(Bool(false), "This is a state.")
        }
        #expect(update.sections.isEmpty)
        #expect(update.patch(.now) == .cleared)
    }

    private static var conflict: WireError {
        var fault = ProtocolFault(.queueConflict, "The queue changed.")
        fault.revision = 911
        return WireError(fault)
    }

    static let replies: [(Reply, String)] = [
        (
            Reply(id: 17, .applied(), revision: 48214, stamps: .init(received: 88_374_455, sent: 88_374_461)),
            #"{"t":"res","id":17,"ok":1,"st":"applied","rev":48214,"rx":88374455,"tx":88374461}"#
        ),
        (Reply(id: 1, .applied(why: .ceiling), revision: 2), #"{"t":"res","id":1,"ok":1,"st":"applied","why":"ceiling","rev":2}"#),
        (Reply(id: 1, .noop(why: .moved), revision: 2), #"{"t":"res","id":1,"ok":1,"st":"noop","why":"moved","rev":2}"#),
        (Reply(id: 1, .noop(why: .unrecognised("bored"))), #"{"t":"res","id":1,"ok":1,"st":"noop","why":"bored"}"#),
        (Reply(id: 1, .unrecognised("pondered")), #"{"t":"res","id":1,"ok":1,"st":"pondered"}"#),
        (
            Reply(id: 1, .applied(), revision: 2, queue: .init(revision: 911, ids: [EntryID(1), EntryID(36)])),
            #"{"t":"res","id":1,"ok":1,"st":"applied","rev":2,"queue":{"rev":911,"ids":["q1","q10"]}}"#
        ),
        (
            Reply(id: 18, .failed(conflict), revision: 5),
            #"{"t":"res","id":18,"ok":0,"err":{"code":"queue_conflict","retry":0,"msg":"The queue changed.","rev":911},"rev":5}"#
        ),
    ]

    @Test(arguments: replies) func `a reply`(reply: Reply, expected: String) throws {
        #expect(text { reply.encode(into: &$0) } == expected)
        #expect(try decode(expected) == .reply(ReceivedReply(reply: reply)))
    }

    @Test(arguments: [Reply.Why.same, .moved, .dup, .ceiling, .floor]) func `each reason has one name`(why: Reply.Why) {
        #expect(Reply.Why(name: why.name) == why)
    }

    @Test func `a reply carries data, and a watch's carries its state`() throws {
        let reply = Reply(id: 17, .applied(), revision: 48214, stamps: .init(received: 88_374_455, sent: 88_374_461))
        let inline = Reply.InlineState(from: 48213, sections: [EncodedSection(WatchLine(positionMs: 0, atMs: 88_374_456, rate: 1000))])
        let written = text { reply.encode(into: &$0, data: { $0.object { $0.member("a", 1) } }, inline: inline) }
        #expect(
            written
                == #"{"t":"res","id":17,"ok":1,"st":"applied","rev":48214,"rx":88374455,"tx":88374461,"d":{"a":1},"from":48213,"s":{"l":[0,88374456,1000]}}"#
        )
        guard case .reply(let received) = try decode(written) else { return #expect(Bool(false), "This is a reply.") }
        #expect(received.reply == reply)
        #expect(received.data == ["a": 1])
        #expect(
            received.state == StateUpdate(header: StateHeader(revision: 48214, from: 48213), sections: [.watchLine: [0, 88_374_456, 1000]]))
    }

    @Test func `a reply names at most as many ids as a list may hold`() throws {
        let ids = (0..<1002).map { EntryID($0) }
        let reply = Reply(id: 1, .applied(), queue: .init(revision: 1, ids: ids))
        guard case .reply(let received) = try HubMessage.decode(JSONWriter.bytes { reply.encode(into: &$0) }) else {
            return #expect(Bool(false), "This is a reply.")
        }
        #expect(received.reply.queue?.ids == Array(ids.prefix(1000)))
        #expect(received.reply.queue?.more == 2)
    }

    @Test func `an error carries what helps`() throws {
        let fault = ProtocolFault(.unsupportedVersion, "This hub speaks Core 1.0.", at: "/core", retryAfterMs: 50)
        let expected =
            #"{"t":"err","err":{"code":"unsupported_version","retry":0,"msg":"This hub speaks Core 1.0.","at":"/core","afterMs":50,"core":"1.0"}}"#
        #expect(text { $0.error(WireError(fault)) } == expected)
        #expect(try decode(expected) == .error(WireError(fault)))
        #expect(try decode(#"{"t":"err","err":{"code":"too_sleepy","retry":1,"msg":""}}"#) != .error(WireError(fault)))
    }

    @Test func `an error says its reason to a client that asked for it`() throws {
        let error = WireError(ProtocolFault(.quota, "It is full.", reason: Reason(.queueFull, ["max": 5, "who": "Ana"])))
        #expect(text { $0.error(error) } == #"{"t":"err","err":{"code":"quota","retry":0,"msg":"It is full."}}"#)
        let whole = text {
            $0.givesReasons = true
            $0.error(error)
        }
        #expect(
            whole
                == #"{"t":"err","err":{"code":"quota","retry":0,"msg":"It is full.","reason":"queue_full","args":{"max":5,"who":"Ana"}}}"#)
        #expect(try decode(whole) == .error(error))
    }

    @Test func `a code from a newer hub is kept by its name`() throws {
        guard case .error(let error) = try decode(#"{"t":"err","err":{"code":"too_sleepy","retry":1,"msg":"Zzz."}}"#) else {
            return #expect(Bool(false), "This is an error.")
        }
        #expect(error.code == "too_sleepy" && error.known == nil && error.retry)
    }

    @Test func `time and bye`() throws {
        let sample = ClockSample(t1: 512_999_000, t2: 88_500_123_456, t3: 88_500_123_502)
        #expect(text(sample.encode) == #"{"t":"time","t1":512999000,"t2":88500123456,"t3":88500123502}"#)
        #expect(try decode(text(sample.encode)) == .time(sample))
        #expect(text { $0.bye(.goingAway, why: "The hub stops.") } == #"{"t":"bye","code":1001,"why":"The hub stops."}"#)
        #expect(try decode(#"{"t":"bye","code":1001,"why":"The hub stops."}"#) == .bye(code: 1001, why: "The hub stops."))
    }

    @Test func `queue operations`() throws {
        let ops = QueueOps(
            room: RoomID("living"), from: 910, revision: 911,
            ops: [
                .insert(after: EntryID(text: "q7f4"), [EntryID(text: "q81a")!, EntryID(text: "q81b")!]),
                .delete([EntryID(text: "q102")!]),
                .move([EntryID(text: "q99")!], after: nil), .current(EntryID(text: "q7f5")),
            ])  // The ids are spelt as the hub spells them.
        let expected =
            #"{"t":"q","room":"living","from":910,"rev":911,"ops":[["ins","q7f4",["q81a","q81b"]],["del",["q102"]],["mov",["q99"],null],["cur","q7f5"]]}"#
        #expect(text(ops.encode) == expected)
        #expect(try decode(expected) == .queue(ops))
        let reset = QueueOps(room: RoomID("living"), revision: 930, isReset: true, length: 412)
        #expect(text(reset.encode) == #"{"t":"q","room":"living","rev":930,"reset":1,"len":412}"#)
        #expect(try decode(text(reset.encode)) == .queue(reset))
        #expect(
            try decode(#"{"t":"q","room":"a","from":1,"rev":2,"ops":[["spin"]]}"#)
                == .queue(QueueOps(room: RoomID("a"), from: 1, revision: 2, ops: [.unrecognised("spin")])))
    }

    @Test func `a queue page keeps below its budget and tells what it holds`() throws {
        let rows = (0..<100).map {
            QueueRow(
                entry: EntryID($0), uri: ItemURI("a:b/\($0)"),
                tags: Tags(title: String(repeating: "t", count: 2000), artists: Array(repeating: "Somebody with a long name", count: 9)))
        }
        let page = QueuePage(rows, revision: 1, length: 100, from: 0)
        let written = text { page.encode(into: &$0, bytes: WireLimits.standard.pageBytes) }
        let read = try QueuePage(from: parse(written))
        #expect(written.utf8.count <= 48 * 1024 + 16)
        #expect(read.rows.map(\.entry) == rows.prefix(read.rows.count).map(\.entry))
        #expect(read.rows.count > 60)
    }

    /// BT-HS-019
    @Test func `a row that would not fit a small frame leaves its picture out`() throws {
        var tags = Tags(title: "One")
        tags.art = Artwork(id: "91c3f0")
        let row = QueueRow(entry: EntryID(1), uri: nil, tags: tags)
        let room = RoomsSection.Room(id: RoomID("a"), name: "A", state: .paused, art: "91c3f0", level: 1, isMuted: false)
        func short(_ encode: (inout JSONWriter) -> Void) -> String? {
            JSONWriter.fitting(text(encode).utf8.count - 1, encode).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(short(row.encode) == #"{"entry":"q1","kind":"track","title":"One"}"#)
        #expect(short(room.encode) == #"{"id":"a","name":"A","st":"paused","level":1,"mute":false}"#)
    }

    @Test func `hub info`() throws {
        let info = HubInfo(
            id: "7Qm2k0Vx", name: "Home", version: "0.1.0", core: "1.0", features: ["rooms@1"], epoch: "h9Kq", boot: "b7", upMs: 5,
            rooms: [RoomID("living")],
            connections: 2,
            pages: ["http://127.0.0.1:9442/"], problems: [HubProblem(message: "A file was skipped.")], more: 3)
        let expected =
            #"{"id":"7Qm2k0Vx","name":"Home","version":"0.1.0","core":"1.0","features":["rooms@1"],"epoch":"h9Kq","boot":"b7","upMs":5,"rooms":["living"],"connections":2,"pages":["http://127.0.0.1:9442/"],"problems":[{"msg":"A file was skipped."}],"more":3}"#
        #expect(text(info.encode) == expected)
        #expect(try HubInfo(from: parse(expected)) == info)
    }

    @Test func `a short message has the profiles as long as they fit, and never says that there are none`() throws {
        let info = HubInfo(
            id: "7Qm2k0Vx", name: "Home", version: "0.1.0", core: "1.0", features: ["history@1", "rooms@1"], epoch: "h9Kq", boot: "b7",
            upMs: 5, rooms: [], connections: 0)
        let whole = text { info.encode(into: &$0, bytes: .max) }
        #expect(whole.contains(#""features":["history@1","rooms@1"]"#))
        let short = try #require(JSONWriter.fitting(whole.utf8.count - 1) { info.encode(into: &$0, bytes: .max) })
        #expect(!String(decoding: short, as: UTF8.self).contains("features"))
        #expect(try HubInfo(from: parse(String(decoding: short, as: UTF8.self))).features.isEmpty)
    }

    @Test func `what a hub holds in memory is told by part, and only to its owner`() throws {
        var diagnostics = HubDiagnostics(
            listen: [], lanPlain: "off", discovery: .init(state: .alone), journal: .init(schema: 1, bytes: 2), audio: .init(choice: "null"),
            limits: .init(connections: 1, descriptors: 2))
        diagnostics.memory = .init([
            .init("process", [.init("resident", 17_000_000), .init("threads", 9)]), .init("sqlite", [.init("used", 2_000_000)]),
        ])
        var info = HubInfo(
            id: "7Qm2k0Vx", name: "Home", version: "0.1.0", core: "1.0", features: ["rooms@1"], epoch: "e", boot: "b", upMs: 5, rooms: [],
            connections: 2)
        info.diagnostics = diagnostics
        let written = text(info.encode)
        #expect(written.hasSuffix(#""memory":{"process":{"resident":17000000,"threads":9},"sqlite":{"used":2000000}}},"problems":[]}"#))
        #expect(try HubInfo(from: parse(written)) == info)
        #expect(diagnostics.memory?["sqlite", "used"] == 2_000_000 && diagnostics.memory?["sqlite", "pages"] == nil)
        #expect(diagnostics.withoutLocations.memory == nil)
        // A newer hub may tell more than numbers.
        let newer = written.replacing(#""sqlite":{"#, with: #""note":"x","sqlite":{"more":[],"#)
        #expect(try HubInfo(from: parse(newer)) == info)
    }

    @Test func `what this version does not know is kept by its name`() throws {
        #expect(try decode(#"{"t":"seal","nonce":"x"}"#) == .unrecognised("seal"))
        #expect(try decode(#"{"t":"time","t1":1,"t2":2,"t3":3,"t9":4}"#) == .time(ClockSample(t1: 1, t2: 2, t3: 3)))
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"t":"state"}"#, #"{"t":"state","rev":1}"#, #"{"t":"res","id":1,"ok":1}"#, #"{"t":"res","id":1,"ok":0}"#,
        #"{"t":"time","t2":1}"#, #"{"t":"q","room":"a","rev":1}"#,
    ])
    func `what cannot be understood is refused`(text: String) {
        #expect(throws: ProtocolFault.self) { try decode(text) }
    }
}
