/// What answers carry: each typed result is written as the codec of its own type writes it, and read back by the form
/// that belongs to its command.
import BatonCore
import BatonProtocol
import BatonWire
import Testing

@Suite struct ReplyDataTests {
    private static let entry = EntryID(text: "q7f3")!  // The text is an id.
    private static let pictured: Tags = {
        var tags = Tags(title: "One")
        tags.art = Artwork(id: "91c3f0")
        return tags
    }()

    static let answers: [(ReplyData.Form, ReplyData, String)] = [
        (
            .queuePage,
            .queuePage(
                QueuePage(
                    [QueueRow(entry: entry, uri: ItemURI("a:b"), tags: pictured)], revision: 9, length: 1, current: entry, from: 0)),
            #"{"rev":9,"len":1,"cur":"q7f3","from":0,"rows":[{"entry":"q7f3","uri":"a:b","kind":"track","title":"One","art":{"id":"91c3f0"}}]}"#
        ),
        (
            .queueHistory,
            .queueHistory(QueueHistoryList([.init(what: "add", author: "Ann", atMs: 7, count: 2, canUndo: true)], revision: 9)),
            #"{"rev":9,"list":[{"what":"add","by":"Ann","atMs":7,"n":2,"undo":true}]}"#
        ),
        (.queueSaved, .queueSaved(QueueSaved(saved: 41, passed: 3)), #"{"saved":41,"passed":3}"#),
        (.room, .room(RoomID("kitchen")), #"{"room":"kitchen"}"#),
        (
            .hubInfo,
            .hubInfo(
                HubInfo(
                    id: "h", name: "Home", version: "1", majors: [1], epoch: "e", boot: "b", upMs: 5, rooms: [RoomID("main")],
                    connections: 2)),
            #"{"id":"h","name":"Home","version":"1","v":[1],"epoch":"e","boot":"b","upMs":5,"rooms":["main"],"connections":2,"pages":[]}"#
        ),
        (
            .hubLog, .hubLog(HubLog([.init(number: 7, wallMs: 5, level: .warning, text: "It is full.")], newest: 9, missed: 2)),
            #"{"list":[{"n":7,"ms":5,"level":"warning","text":"It is full."}],"newest":9,"missed":2}"#
        ),
        (
            .items, .items(ItemList([ItemRow(uri: ItemURI("a:b"), tags: Tags())], cursor: "c", total: 2)),
            #"{"rows":[{"uri":"a:b","kind":"track"}],"cursor":"c","total":2}"#
        ),
        (
            .item, .item(ItemAnswer(ItemDetails(row: ItemRow(uri: ItemURI("a:b"), tags: Tags())))),
            #"{"item":{"uri":"a:b","kind":"track"}}"#
        ),
        (
            .played, .played(PlayedList([.init(item: ItemRow(uri: ItemURI("a:b"), tags: Tags()), room: RoomID("main"), atMs: 7)])),
            #"{"rows":[{"uri":"a:b","kind":"track","room":"main","atMs":7}]}"#
        ),
        (.folders, .folders(LibraryFolders([.init(path: "/m", tracks: 3)])), #"{"folders":[{"path":"/m","n":3}]}"#),
        (
            .folders, .folders(LibraryFolders([], found: [.init(path: "/srv/music", tracks: 3)])),
            #"{"folders":[],"found":[{"path":"/srv/music","n":3}]}"#
        ),
        (
            .folders,
            .folders(LibraryFolders([], inside: [.init(path: "/srv/a", tracks: 0), .init(path: "/srv/b")], hasMore: true)),
            #"{"folders":[],"inside":[{"path":"/srv/a","n":0},{"path":"/srv/b"}],"more":1}"#
        ),
        (
            .playlists, .playlists(PlaylistList([PlaylistRow(id: PlaylistID("p1"), name: "Run", revision: 7, count: 0)], revision: 4)),
            #"{"rev":4,"rows":[{"id":"p1","name":"Run","rev":7,"n":0,"durMs":0}]}"#
        ),
        (
            .playlist,
            .playlist(
                PlaylistContents(
                    [PlaylistEntry(id: entry, row: ItemRow(uri: ItemURI("a:b"), tags: Tags()))],
                    list: PlaylistRow(id: PlaylistID("p1"), name: "Run", revision: 7, count: 1), from: 0)),
            #"{"list":{"id":"p1","name":"Run","rev":7,"n":1,"durMs":0},"from":0,"rows":[{"e":"q7f3","uri":"a:b","kind":"track"}]}"#
        ),
        (
            .playlistEdited, .playlistEdited(PlaylistEdited(id: PlaylistID("p1"), revision: 7, added: [entry])),
            #"{"id":"p1","rev":7,"ids":["q7f3"]}"#
        ),
        (
            .picture, .picture(ArtTransfer(number: 3, total: 900, format: "jpeg", width: 96, height: 64)),
            #"{"xfer":3,"total":900,"fmt":"jpeg","w":96,"h":64}"#
        ),
        (
            .pairingWindow, .pairingWindow(PairingWindow(pin: "123456", role: .guest, leftMs: 120_000, address: "https://a:1/#pair=x")),
            #"{"pin":"123456","role":"guest","ttlMs":120000,"qr":"https://a:1/#pair=x"}"#
        ),
        (
            .devices,
            .devices(
                DeviceList(
                    [
                        .init(
                            id: DeviceID("d_1"), name: "Phone", role: .guest, kind: "browser", connections: 1, pairedMs: 5, seenMs: 6,
                            expiresMs: 7, span: 10...40)
                    ], isLocked: true, window: .init(role: .remote, leftMs: 8, attempts: 2))),
            #"{"list":[{"dev":"d_1","name":"Phone","role":"guest","kind":"browser","open":1,"pairedMs":5,"seenMs":6,"expiresMs":7,"span":[10,40]}],"locked":true,"window":{"role":"remote","leftMs":8,"attempts":2}}"#
        ),
        (
            .deviceKey,
            .deviceKey(
                NewDeviceKey(
                    device: DeviceID("d_1"), salt: [UInt8](repeating: 0, count: 16), wrappedKey: [UInt8](repeating: 255, count: 48))),
            "{\"dev\":\"d_1\",\"salt\":\"AAAAAAAAAAAAAAAAAAAAAA\",\"wk\":\"\(String(repeating: "_", count: 64))\"}"
        ),
        (.ticket, .ticket(Ticket(text: "abc")), #"{"ticket":"abc"}"#),
    ]

    @Test(arguments: answers) func `an answer carries its result in d, and is read by the form of its command`(
        form: ReplyData.Form, data: ReplyData, written: String
    ) throws {
        let reply = Reply(id: 7, .applied(), revision: 3, data: data)

        let sent = JSONWriter.bytes { reply.encode(into: &$0) }

        #expect(String(decoding: sent, as: UTF8.self) == #"{"t":"res","id":7,"ok":1,"st":"applied","rev":3,"d":\#(written)}"#)
        #expect(try ReplyData(from: parse(written), as: form) == data)
        guard case .reply(let received) = try HubMessage.decode(sent) else { throw ProtocolFault(.internal, "This is no reply.") }
        #expect(try ReplyData(from: #require(received.data), as: form) == data)
    }

    @Test func `there is a test for the result of every form`() {
        let elsewhere = SourceAnswerTests.forms.union(KeepAnswerTests.forms).union(RadioTextTests.forms).union(JobAnswerTests.forms).union(
            WorkerAnswerTests.forms
        ).union(PodcastTextTests.forms).union(BookmarkTextTests.forms).union(PlaceTextTests.forms).union(UserTextTests.forms).union(
            JoinedRoomTextTests.forms
        ).union(ListeningTextTests.forms)
        #expect(Set(Self.answers.map(\.0)).union(elsewhere) == Set(ReplyData.Form.allCases))
    }

    @Test func `a list of devices ends with its page and counts the rest`() throws {
        let rows = (0..<100).map {
            DeviceList.Row(id: DeviceID("d_\($0)"), name: "Phone", role: .remote, kind: "device", connections: 0, pairedMs: 1, seenMs: 1)
        }
        let reply = Reply(id: 7, .applied(), data: .devices(DeviceList(rows, more: 3)))

        let sent = JSONWriter.bytes { reply.encode(into: &$0, pageBytes: 1000) }

        guard case .reply(let received) = try HubMessage.decode(sent) else { throw ProtocolFault(.internal, "This is no reply.") }
        guard case .devices(let page) = try ReplyData(from: #require(received.data), as: .devices) else {
            throw ProtocolFault(.internal, "This is no list of devices.")
        }
        #expect(page.rows == Array(rows.prefix(page.rows.count)))
        #expect(5..<100 ~= page.rows.count)
        #expect(page.more == 103 - page.rows.count)
        #expect(sent.count < 1100)
    }

    @Test(arguments: ReplyData.Form.allCases) func `a result that is no object is refused at d`(form: ReplyData.Form) {
        #expect(throws: ProtocolFault.self) { try ReplyData(from: .array([]), as: form) }
    }
}
