/// The messages that a client may send, and the refusals of bad input (`Protocol/core/7-limits.md`, "Bad input").
import BatonCore
import BatonProtocol
import BatonWire
import Testing

@Suite struct ClientMessageTests {
    private func decode(_ text: String) throws(ProtocolFault) -> ClientMessage { try ClientMessage.decode(utf8(text)) }

    private func fault(_ text: String) -> ProtocolFault? {
        do throws(ProtocolFault) {
            _ = try decode(text)
            return nil
        } catch { return error }
    }

    /// The fault of a message, or of the command in it.
    private func commandFault(_ text: String) -> ProtocolFault? {
        do throws(ProtocolFault) {
            if case .command(let frame) = try decode(text) { _ = try frame.command() }
            return nil
        } catch { return error }
    }

    @Test func `hello is read in full`() throws {
        let message = try decode(
            #"{"t":"hello","core":"1.0","view":"watch","features":["rooms"],"locale":"de","client":{"id":"k3Jr0vYx2mQ","run":"9fQ2","name":"Ana watch","app":"wristd/0.3"},"caps":["art"],"resume":{"epoch":"h9Kq","rev":48190,"rooms":["living"],"sections":["n","l","v","m","r","zz"]},"rooms":["living"],"role":"guest","t1":512345678}"#
        )
        #expect(
            message
                == .hello(
                    Hello(
                        view: "watch", client: .init(id: "k3Jr0vYx2mQ", run: "9fQ2", name: "Ana watch", app: "wristd/0.3"),
                        features: ["rooms"], caps: ["art"],
                        resume: .init(
                            epoch: "h9Kq", revision: 48190, rooms: [RoomID("living")],
                            sections: [.watchItem, .watchLine, .watchVolume, .watchModes, .watchRoom]),
                        rooms: [RoomID("living")], role: .guest, locale: "de", t1: 512_345_678)))
    }

    @Test func `the shortest hello names a version, a view and a client`() throws {
        let message = try decode(#"{"t":"hello","core":"1.7","view":"tv","client":{"id":"abcd"}}"#)
        #expect(message == .hello(Hello(core: "1.7", view: "tv", client: .init(id: "abcd"))))
    }

    static let badHellos: [(String, String)] = [
        (#""core":"1.0000000000000000","view":"full","client":{"id":"abcd"}"#, "/core"),
        (#""core":"1.0","client":{"id":"abcd"}"#, "/view"),
        (#""core":"1.0","view":7,"client":{"id":"abcd"}"#, "/view"),
        (#""core":"1.0","view":"full""#, "/client"),
        (#""core":"1.0","view":"full","client":{}"#, "/client/id"),
        (#""core":"1.0","view":"full","client":{"id":"abc"}"#, "/client/id"),
        (#""core":"1.0","view":"full","client":{"id":"ab cd"}"#, "/client/id"),
        (#""core":"1.0","view":"full","client":{"id":"abcd","run":""}"#, "/client/run"),
        (#""core":"1.0","view":"full","client":{"id":"abcd","name":7}"#, "/client/name"),
        (#""core":"1.0","view":"full","client":{"id":"abcd"},"caps":[1]"#, "/caps/0"),
        (#""core":"1.0","view":"full","client":{"id":"abcd"},"resume":{"epoch":"a"}"#, "/resume/rev"),
        (#""core":"1.0","view":"full","client":{"id":"abcd"},"resume":{"rev":1}"#, "/resume/epoch"),
        (#""core":"1.0","view":"full","client":{"id":"abcd"},"rooms":[""]"#, "/rooms/0"),
        (#""core":"1.0","view":"full","client":{"id":"abcd"},"role":"owner""#, "/role"),
        (#""core":"1.0","view":"full","client":{"id":"abcd"},"t1":1.5"#, "/t1"),
    ]

    @Test(arguments: badHellos) func `a hello with a wrong member is refused by its place`(members: String, place: String) {
        let refused = fault("{\"t\":\"hello\",\(members)}")
        #expect(refused?.code == .badRequest)
        #expect(refused?.at == place)
        #expect(refused?.isStrike == false)
    }

    @Test(arguments: [#""core":1.5"#, #""core":null"#])
    func `a version that is no text is a mistake`(core: String) {
        #expect(fault(#"{"t":"hello",\#(core),"view":"full","client":{"id":"abcd"}}"#)?.code == .badRequest)
    }

    /// BT-VER-001
    @Test(arguments: [
        #""v":[1],"profile":"full","client":{"id":"abcd"}"#, #""core":"2.0","view":"full","client":{"id":"abcd"}"#,
        "\"core\":\"\"",
    ])
    func `a hello of another version is told so, whatever else it says`(members: String) {
        let refused = fault("{\"t\":\"hello\",\(members)}")
        #expect(refused?.code == .unsupportedVersion && refused?.sentence.contains("1.0") == true && refused?.isStrike == false)
    }

    @Test(arguments: [(4, true), (3, false), (64, true), (65, false)]) func `a client id has 4 to 64 characters`(length: Int, fits: Bool) {
        let id = String(repeating: "x", count: length)
        #expect((fault("{\"t\":\"hello\",\"core\":\"1.0\",\"view\":\"full\",\"client\":{\"id\":\"\(id)\"}}") == nil) == fits)
    }

    @Test func `a command is read in full`() throws {
        let message = try decode(
            #"{"t":"cmd","id":17,"m":"next","k":"c3f1a9","room":"living","ct":88374455,"ttl":5000,"p":{"from":"q7f3"}}"#)
        #expect(
            message
                == .command(
                    CommandFrame(
                        id: 17, method: "next", key: "c3f1a9", room: RoomID("living"), ct: 88_374_455, ttl: 5000,
                        params: ["from": "q7f3"])))
    }

    @Test(arguments: [(1, true), (0, false), (-1, false), (2_147_483_647, true), (2_147_483_648, false)])
    func `a command's id is from 1 to 2^31-1`(id: Int, fits: Bool) {
        let refused = fault("{\"t\":\"cmd\",\"id\":\(id),\"m\":\"pause\"}")
        #expect((refused == nil) == fits)
        #expect(fits || refused?.id == nil)
        #expect(fits || refused?.at == "/id")
    }

    @Test(arguments: [
        ("abc", false), ("abcd", true), ("0123456789abcdef", true), ("0123456789abcdefg", false), ("ab d", false), ("äbcd", false),
    ])
    func `a key has 4 to 16 letters, digits, dashes or underscores`(key: String, fits: Bool) {
        let refused = commandFault("{\"t\":\"cmd\",\"id\":7,\"m\":\"pause\",\"k\":\"\(key)\"}")
        #expect((refused == nil) == fits)
        #expect(fits || refused?.id == 7)
        #expect(fits || refused?.at == "/k")
    }

    static let badCommands: [(String, String)] = [
        (#"{"t":"cmd","id":7}"#, "/m"), (#"{"t":"cmd","id":7,"m":7}"#, "/m"), (#"{"t":"cmd","id":7,"m":""}"#, "/m"),
        (#"{"t":"cmd","id":7,"m":"pause","p":[]}"#, "/p"), (#"{"t":"cmd","id":7,"m":"vol.set","p":[]}"#, "/p"),
        (#"{"t":"cmd","id":7,"m":"pause","room":7}"#, "/room"),
        (#"{"t":"cmd","id":7,"m":"pause","ttl":-1}"#, "/ttl"), (#"{"t":"cmd","id":7,"m":"pause","ct":"now"}"#, "/ct"),
        (#"{"t":"sub","id":7,"pace":[10,100]}"#, "/pace/0"), (#"{"t":"sub","id":7,"pace":[20,120001]}"#, "/pace/1"),
        (#"{"t":"sub","id":7,"pace":[100,50]}"#, "/pace"), (#"{"t":"sub","id":7,"queue":{"n":101}}"#, "/queue/n"),
        (#"{"t":"sub","id":7,"queue":7}"#, "/queue"), (#"{"t":"sub","id":7,"sections":[7]}"#, "/sections/0"),
    ]

    @Test(arguments: badCommands) func `once the id is known every refusal answers it`(text: String, place: String) {
        let refused = commandFault(text)
        #expect(refused?.code == .badRequest)
        #expect(refused?.id == 7)
        #expect(refused?.at == place)
    }

    @Test func `the other messages are read`() throws {
        #expect(try decode(#"{"t":"sync"}"#) == .sync)
        #expect(try decode(#"{"t":"time","t1":512999000}"#) == .time(t1: 512_999_000))
        #expect(try decode(#"{"t":"cancel","id":19}"#) == .cancel(id: 19))
        #expect(try decode(#"{"t":"bye"}"#) == .bye(why: nil))
        #expect(
            try decode(
                #"{"t":"sub","id":3,"rooms":["living"],"sections":["now","tl","later"],"pace":[100,5000],"queue":{"from":10,"n":20}}"#)
                == .subscribe(
                    Subscription(
                        id: 3, rooms: [RoomID("living")], sections: [.now, .timeline], pace: Pace(minMs: 100, maxMs: 5000),
                        queue: .set(.init(from: 10, count: 20)))))
        #expect(try decode(#"{"t":"sub","id":3,"queue":null}"#) == .subscribe(Subscription(id: 3, queue: .cleared)))
    }

    @Test func `a type nobody knows is kept by its name`() throws {
        #expect(try decode(#"{"t":"dance"}"#) == .unknown(type: "dance"))
    }

    /// BT-ENV-007
    @Test(arguments: [
        (#"{"x":1,"t":"cmd","id":7,"m":"pause","ttl":-1,"p":{"z":[]}}"#, "/x"),
        (#"{"t":"cmd","id":7,"m":"pause","p":{"level":1}}"#, "/p/level"),
        (#"{"t":"cmd","id":7,"m":"vol.set","ttl":-1,"p":{"level":-1,"a/b~":1}}"#, "/p/a~1b~0"),
        (#"{"t":"sub","id":7,"if":1,"pace":1}"#, "/if"),
    ])
    func `a command with an unknown member is refused by its name, before values are looked at`(text: String, place: String) {
        let refused = commandFault(text)
        #expect(refused?.code == .unsupported && refused?.at == place && refused?.id == 7)
    }

    @Test func `an unknown command is told before what is wrong with it`() {
        #expect(commandFault(#"{"t":"cmd","id":7,"m":"dance","x":1,"k":"","p":[]}"#)?.code == .unknownCommand)
        #expect(fault(#"{"t":"cancel","id":7,"if":1}"#)?.code == .unsupported)
    }

    /// BT-BAD-007
    @Test func `unknown members of other messages are skipped`() throws {
        #expect(try decode(#"{"t":"sync","x":1}"#) == .sync && decode(#"{"x":[],"t":"time","t1":5}"#) == .time(t1: 5))
    }

    @Test(arguments: [
        "", "hello", "{", "[]", "7", "\"t\"", "null", "{\"t\":\"sync\"", "{\"t\":\"sync\"}}", String(repeating: "[", count: 9),
        "{\"t\":\"sync\",\"x\":\"" + String(repeating: "x", count: 4097) + "\"}",
    ])
    func `a frame that is no message is a strike and answers no command`(text: String) {
        let refused = fault(text)
        #expect(refused?.code == .badRequest)
        #expect(refused?.isStrike == true)
        #expect(refused?.id == nil)
    }

    @Test(arguments: [
        #"{"t":"cmd","id":7,"id":7,"m":"pause"}"#, #"{"t":"cmd","id":7,"m":"\ud800"}"#, #"{"t":"cmd","id":9007199254740992,"m":"pause"}"#,
        #"{"id":7}"#, #"{"t":7}"#, #"{"t":""}"#, #"{"t":"time"}"#, #"{"t":"time","t1":"now"}"#, #"{"t":"cancel"}"#,
    ])
    func `a frame that is JSON but no message of ours is refused without a strike`(text: String) {
        let refused = fault(text)
        #expect(refused?.code == .badRequest)
        #expect(refused?.isStrike == false)
        #expect(refused?.id == nil)
    }

    @Test func `every message can be said and is heard the same`() throws {
        let messages: [ClientMessage] = [
            .hello(
                Hello(
                    view: "remote", client: .init(id: "abcd-_", run: "r", name: "Ana", app: "a/1"), caps: ["art"], rooms: [],
                    role: .listener, t1: -4)),
            .command(CommandFrame(id: 1, method: "queue.move", key: "keykey", ct: 5, ttl: 9, params: ["ids": ["q1"], "after": nil])),
            .cancel(id: 4), .subscribe(Subscription(id: 5, queue: .cleared)), .sync, .time(t1: 12), .bye(why: "Good night."),
            .bye(why: nil),
        ]
        for message in messages {
            #expect(try ClientMessage.decode(JSONWriter.bytes(message.encode)) == message)
        }
    }
}
