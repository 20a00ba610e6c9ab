/// What answers carry: each typed result is written as the codec of its own type writes it, and read back as that
/// type.
import BatonCore
import BatonProtocol
import BatonWire
import Testing

@Suite struct ReplyContentTests {
    private static let entry = EntryID(text: "q7f3")!  // The text is an id.
    private static let pictured: Tags = {
        var tags = Tags(title: "One")
        tags.art = Artwork(id: "91c3f0")
        return tags
    }()

    static let answers: [(any AnswerCoding, String)] = [
        (
            QueuePage(
                [QueueRow(entry: entry, uri: ItemURI("a:b"), tags: pictured)], revision: 9, length: 1, current: entry, from: 0),
            #"{"rev":9,"len":1,"cur":"q7f3","from":0,"rows":[{"entry":"q7f3","uri":"a:b","kind":"track","title":"One","art":{"id":"91c3f0"}}]}"#
        ),
        (
            QueueHistoryList([.init(what: "add", author: "Ann", atMs: 7, count: 2, canUndo: true)], revision: 9),
            #"{"rev":9,"list":[{"what":"add","by":"Ann","atMs":7,"n":2,"undo":true}]}"#
        ),
        (QueueSaved(saved: 41, passed: 3), #"{"saved":41,"passed":3}"#),
        (CreatedRoom(RoomID("kitchen")), #"{"room":"kitchen"}"#),
        (
            HubInfo(
                id: "h", name: "Home", version: "1", core: "1.0", features: ["rooms@1"], epoch: "e", boot: "b", upMs: 5,
                rooms: [RoomID("main")], connections: 2),
            #"{"id":"h","name":"Home","version":"1","core":"1.0","features":["rooms@1"],"epoch":"e","boot":"b","upMs":5,"rooms":["main"],"connections":2,"problems":[]}"#
        ),
        (
            DialectList([
                .init(
                    dialect: "mpd", isOn: true, addresses: ["127.0.0.1:6600"], problem: "It is taken.", connected: 1,
                    programs: [
                        .init(address: "10.0.0.7", password: "Phone", role: .guest, room: RoomID("r"), command: "idle", wallMs: 5)
                    ]), .init(dialect: "mpris", isOn: false),
            ]),
            #"{"list":[{"dialect":"mpd","on":true,"addresses":["127.0.0.1:6600"],"problem":"It is taken.","connected":1,"programs":[{"address":"10.0.0.7","password":"Phone","role":"guest","room":"r","command":"idle","ms":5}]},{"dialect":"mpris","on":false,"connected":0}]}"#
        ),
        (
            DialectPasswordList([.init(name: "Phone", role: .guest, createdMs: 5)]),
            #"{"list":[{"name":"Phone","role":"guest","createdMs":5}]}"#
        ),
        (
            HubLog([.init(number: 7, wallMs: 5, level: .warning, text: "It is full.")], newest: 9, missed: 2),
            #"{"list":[{"n":7,"ms":5,"level":"warning","text":"It is full."}],"newest":9,"missed":2}"#
        ),
        (
            ItemList([ItemRow(uri: ItemURI("a:b"), tags: Tags())], cursor: "c", total: 2),
            #"{"rows":[{"uri":"a:b","kind":"track"}],"cursor":"c","total":2}"#
        ),
        (
            ItemAnswer(ItemDetails(row: ItemRow(uri: ItemURI("a:b"), tags: Tags()))),
            #"{"item":{"uri":"a:b","kind":"track"}}"#
        ),
        (
            PlayedList([.init(item: ItemRow(uri: ItemURI("a:b"), tags: Tags()), room: RoomID("main"), atMs: 7)]),
            #"{"rows":[{"uri":"a:b","kind":"track","room":"main","atMs":7}]}"#
        ),
        (LibraryFolders([.init(path: "/m", tracks: 3)]), #"{"folders":[{"path":"/m","n":3}]}"#),
        (
            LibraryFolders([], found: [.init(path: "/srv/music", tracks: 3)]),
            #"{"folders":[],"found":[{"path":"/srv/music","n":3}]}"#
        ),
        (
            LibraryFolders([], inside: [.init(path: "/srv/a", tracks: 0), .init(path: "/srv/b")], hasMore: true),
            #"{"folders":[],"inside":[{"path":"/srv/a","n":0},{"path":"/srv/b"}],"more":1}"#
        ),
        (
            PlaylistList([PlaylistRow(id: PlaylistID("p1"), name: "Run", revision: 7, count: 0)], revision: 4),
            #"{"rev":4,"rows":[{"id":"p1","name":"Run","rev":7,"n":0,"durMs":0}]}"#
        ),
        (
            PlaylistContents(
                [PlaylistEntry(id: entry, row: ItemRow(uri: ItemURI("a:b"), tags: Tags()))],
                list: PlaylistRow(id: PlaylistID("p1"), name: "Run", revision: 7, count: 1), from: 0),
            #"{"list":{"id":"p1","name":"Run","rev":7,"n":1,"durMs":0},"from":0,"rows":[{"e":"q7f3","uri":"a:b","kind":"track"}]}"#
        ),
        (
            PlaylistEdited(id: PlaylistID("p1"), revision: 7, added: [entry]),
            #"{"id":"p1","rev":7,"ids":["q7f3"]}"#
        ),
        (
            ArtTransfer(number: 3, total: 900, format: "jpeg", width: 96, height: 64),
            #"{"xfer":3,"total":900,"fmt":"jpeg","w":96,"h":64}"#
        ),
        (
            PairingWindow(pin: "123456", role: .guest, leftMs: 120_000, address: "https://a:1/#pair=x"),
            #"{"pin":"123456","role":"guest","ttlMs":120000,"qr":"https://a:1/#pair=x"}"#
        ),
        (
            DeviceList(
                [
                    .init(
                        id: DeviceID("d_1"), name: "Phone", role: .guest, kind: "browser", connections: 1, pairedMs: 5, seenMs: 6,
                        expiresMs: 7, span: 10...40)
                ], isLocked: true, window: .init(role: .remote, leftMs: 8, attempts: 2)),
            #"{"list":[{"dev":"d_1","name":"Phone","role":"guest","kind":"browser","open":1,"pairedMs":5,"seenMs":6,"expiresMs":7,"span":[10,40]}],"locked":true,"window":{"role":"remote","leftMs":8,"attempts":2}}"#
        ),
        (
            NewDeviceKey(
                device: DeviceID("d_1"), salt: [UInt8](repeating: 0, count: 16), wrappedKey: [UInt8](repeating: 255, count: 48)),
            "{\"dev\":\"d_1\",\"salt\":\"AAAAAAAAAAAAAAAAAAAAAA\",\"wk\":\"\(String(repeating: "_", count: 64))\"}"
        ),
        (Ticket(text: "abc"), #"{"ticket":"abc"}"#),
        (
            RoomsSection([.init(id: RoomID("a"), name: "A", state: .paused, level: 1, isMuted: false)], more: 2),
            #"{"list":[{"id":"a","name":"A","st":"paused","level":1,"mute":false}],"more":2}"#
        ),
        (OutputsSection([.init(id: "alsa/x", name: "X")]), #"{"list":[{"id":"alsa/x","name":"X"}]}"#),
        (
            PeopleListing.hub(.list([.init(name: "Ben", role: .guest, sinceMs: 1)], more: 2)),
            #"{"list":[{"name":"Ben","role":"guest","sinceMs":1}],"more":2}"#
        ),
        (
            PeopleListing.room(ListenersSection(listeners: [.init(who: "7", name: "Ben", role: .guest, sinceMs: 1)])),
            #"{"list":[{"who":"7","name":"Ben","role":"guest","sinceMs":1}]}"#
        ),
    ]

    @Test(arguments: answers) func `an answer carries its result in d, and is read as its own type`(
        content: any AnswerCoding, written: String
    ) throws {
        let reply = Reply(id: 7, .applied(), revision: 3, data: content)

        let sent = JSONWriter.bytes { reply.encode(into: &$0) }

        #expect(String(decoding: sent, as: UTF8.self) == #"{"t":"res","id":7,"ok":1,"st":"applied","rev":3,"d":\#(written)}"#)
        #expect(try Self.isSame(content, parse(written)))
        guard case .reply(let received) = try HubMessage.decode(sent) else { throw ProtocolFault(.internal, "This is no reply.") }
        #expect(try Self.isSame(content, #require(received.data)))
    }

    private static func isSame<Content: AnswerCoding>(_ content: Content, _ written: JSON) throws -> Bool {
        try Content(from: written) == content
    }

    @Test func `replies are equal where their contents are`() {
        let (one, other) = (Ticket(text: "abc"), Ticket(text: "abd"))
        #expect(Reply(id: 7, .applied(), data: one) == Reply(id: 7, .applied(), data: one))
        #expect(Reply(id: 7, .applied(), data: one) != Reply(id: 7, .applied(), data: other))
        #expect(Reply(id: 7, .applied(), data: one) != Reply(id: 7, .applied(), data: CreatedRoom(RoomID("abc"))))
        #expect(
            Reply(id: 7, .applied(), data: one) != Reply(id: 7, .applied())
                && Reply(id: 7, .applied()) != Reply(id: 7, .applied(), data: one))
        #expect(Reply(id: 7, .applied()) == Reply(id: 7, .applied()))
    }

    private static let kinds = CommandKind.allCases.filter { $0.content != nil }

    @Test func `there is a test for the answer of every command`() {
        let elsewhere = [
            SourceAnswerTests.contents, KeepAnswerTests.contents, RadioTextTests.contents, JobAnswerTests.contents,
            WorkerAnswerTests.contents, PodcastTextTests.contents, BookmarkTextTests.contents, PlaceTextTests.contents,
            UserTextTests.contents, JoinedRoomTextTests.contents, ListeningTextTests.contents,
        ].joined()
        let tested = Self.answers.map { ObjectIdentifier(type(of: $0.0)) } + elsewhere.map { ObjectIdentifier($0) }
        #expect(Set(tested) == Set(Self.kinds.compactMap(\.content).map { ObjectIdentifier($0) }))
    }

    @Test func `a list of devices ends with its page and counts the rest`() throws {
        let rows = (0..<100).map {
            DeviceList.Row(id: DeviceID("d_\($0)"), name: "Phone", role: .remote, kind: "device", connections: 0, pairedMs: 1, seenMs: 1)
        }
        let reply = Reply(id: 7, .applied(), data: DeviceList(rows, more: 3))

        let sent = JSONWriter.bytes { reply.encode(into: &$0, pageBytes: 1000) }

        guard case .reply(let received) = try HubMessage.decode(sent) else { throw ProtocolFault(.internal, "This is no reply.") }
        let page = try DeviceList(from: #require(received.data))
        #expect(page.rows == Array(rows.prefix(page.rows.count)))
        #expect(5..<100 ~= page.rows.count)
        #expect(page.more == 103 - page.rows.count)
        #expect(sent.count < 1100)
    }

    /// What reads a section on is read as the section.
    private static let places: [CommandKind: String] = [.roomList: "/s/rooms", .outputList: "/s/outputs", .peopleList: "/s/people"]

    @Test(arguments: kinds) func `a result that is no object is refused at d`(kind: CommandKind) throws {
        let content = try #require(kind.content)
        let fault = #expect(throws: ProtocolFault.self) { try content.init(from: .array([])) }
        #expect(fault?.at == Self.places[kind] ?? "/d")
    }
}
