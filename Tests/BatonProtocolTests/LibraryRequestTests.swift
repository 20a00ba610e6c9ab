/// The commands about libraries, playlists and pictures (`Protocol/profiles`, "library", "playlists",
/// "Pictures").
import BatonCore
import BatonProtocol
import BatonWire
import Testing

@Suite struct LibraryRequestTests {
    private func decode(_ method: String, _ params: String, key: String? = "keykey") throws(ProtocolFault) -> any CommandRequest {
        let params = (try? parse(params))?.object ?? JSONObject()
        return try CommandFrame(id: 7, method: method, key: key, params: params).command()
    }

    private static func entry(_ text: String) -> EntryID { EntryID(text: text)! }  // Spelt by hand below.

    static let commands: [(String, String, any CommandRequest)] = [
        ("lib.search", #"{"q":"kid a"}"#, Commands.Search("kid a")),
        (
            "lib.search", #"{"q":"a","kinds":["track","album"],"limit":10,"from":20,"source":"lib"}"#,
            Commands.Search("a", kinds: [.track, .album], source: "lib", page: .init(from: 20, limit: 10))
        ),
        ("lib.search", #"{"q":"a","cursor":"lib=f80"}"#, Commands.Search("a", page: .init(limit: 80, cursor: "lib=f80"))),
        ("lib.search", #"{"q":"a","available":true}"#, Commands.Search("a", isAvailable: true)),
        ("lib.search", #"{"q":"a","unfold":true}"#, Commands.Search("a", isUnfolded: true)),
        ("lib.browse", #"{"node":"a:b","unfold":true}"#, Commands.Browse(node: ItemURI("a:b"), isUnfolded: true)),
        ("lib.split", #"{"uri":"a:b","from":"c:d"}"#, Commands.Split(ItemURI("a:b"), from: ItemURI("c:d"))),
        ("lib.split", #"{"uri":"a:b","from":"c:d","on":false}"#, Commands.Split(ItemURI("a:b"), from: ItemURI("c:d"), isOn: false)),
        ("lib.browse", "{}", Commands.Browse()),
        (
            "lib.browse", #"{"node":"lib:shelf/albums","sort":"added","limit":1}"#,
            Commands.Browse(node: ItemURI("lib:shelf/albums"), sort: .added, page: .init(limit: 1))
        ),
        ("lib.item", #"{"uri":"lib:track/8a1f"}"#, Commands.Item(ItemURI("lib:track/8a1f"))),
        ("lib.item", #"{"uri":"a:b/c","lyrics":true,"media":true}"#, Commands.Item(ItemURI("a:b/c"), lyrics: true, media: true)),
        ("lib.history", #"{"from":100,"limit":50}"#, Commands.PlayedHistory(from: 100, limit: 50)),
        ("lib.folders", "{}", Commands.Folders()), ("lib.folders", #"{"in":"/srv"}"#, Commands.Folders(path: "/srv")),
        ("lib.folder", #"{"path":"/music","on":true}"#, Commands.FolderSet("/music", isOn: true)),
        ("hub.scan", "{}", Commands.Scan()), ("hub.scan", #"{"full":true}"#, Commands.Scan(isFull: true)),
        ("fav.set", #"{"uri":"a:b/c","on":false}"#, Commands.FavouriteSet(ItemURI("a:b/c"), isOn: false)),
        ("rate.set", #"{"uri":"a:b/c","stars":5}"#, Commands.RatingSet(ItemURI("a:b/c"), stars: 5)),
        ("pl.list", "{}", Commands.Playlists(from: 0, limit: 100)),
        ("pl.get", #"{"id":"p1"}"#, Commands.Playlist(PlaylistID("p1"), from: 0, count: 100)),
        ("pl.get", #"{"id":"p1","from":100,"n":1}"#, Commands.Playlist(PlaylistID("p1"), from: 100, count: 1)),
        ("pl.create", #"{"name":"Run"}"#, Commands.PlaylistCreate("Run")),
        ("pl.create", #"{"name":"Run","to":"attic"}"#, Commands.PlaylistCreate("Run", source: "attic")),
        ("pl.delete", #"{"list":"a:playlist/1","version":"v"}"#, Commands.PlaylistDelete(list: ItemURI("a:playlist/1"), version: "v")),
        (
            "pl.edit", #"{"list":"a:playlist/1","version":"v","ops":[{"add":["a:b"],"place":0},{"removeAt":[1]},{"moveAt":2,"to":0}]}"#,
            Commands.PlaylistEdit(
                list: ItemURI("a:playlist/1"), version: "v",
                ops: [.indexed(.insert([ItemURI("a:b")], at: 0)), .indexed(.remove([1])), .indexed(.move(from: 2, to: 0))])
        ),
        (
            "pl.edit", #"{"list":"a:playlist/1","ops":[{"add":["a:b"]},{"name":"c"},{"about":""},{"public":false}]}"#,
            Commands.PlaylistEdit(
                list: ItemURI("a:playlist/1"),
                ops: [.add([ItemURI("a:b")], at: .end), .plain(.rename("c")), .indexed(.describe("")), .indexed(.publish(false))])
        ),
        ("pl.create", #"{"name":"Run","uris":["a:b/c"]}"#, Commands.PlaylistCreate("Run", uris: [ItemURI("a:b/c")])),
        (
            "pl.create", #"{"name":"Best","rule":{"all":[{"f":"stars","is":"atLeast","v":"4"}],"order":"played","desc":1,"limit":50}}"#,
            Commands.PlaylistCreate(
                "Best", rule: SmartRule([.init(.stars, .atLeast, value: "4")], order: .played, isDescending: true, limit: 50))
        ),
        ("pl.delete", #"{"id":"p1"}"#, Commands.PlaylistDelete(id: PlaylistID("p1"))),
        (
            "pl.edit", #"{"id":"p1","ops":[{"add":["a:b/c"]},{"add":["d:e/f"],"at":{"after":null},"else":"end"}]}"#,
            Commands.PlaylistEdit(
                id: PlaylistID("p1"), ops: [.add([ItemURI("a:b/c")], at: .end), .add([ItemURI("d:e/f")], at: .after(nil, orEnd: true))])
        ),
        (
            "pl.edit", #"{"id":"p1","base":3,"ops":[{"remove":["q1"]},{"move":["q2"],"after":"q3"},{"clear":1},{"undo":1}]}"#,
            Commands.PlaylistEdit(
                id: PlaylistID("p1"), base: 3,
                ops: [.plain(.remove([entry("q1")])), .plain(.move([entry("q2")], to: .after(entry("q3")))), .plain(.clear), .plain(.undo)])
        ),
        (
            "pl.edit", #"{"id":"p1","ops":[{"name":"Walk"},{"rule":{"any":[{"f":"genre","is":"has","v":"jazz"}]}}]}"#,
            Commands.PlaylistEdit(
                id: PlaylistID("p1"),
                ops: [.plain(.rename("Walk")), .plain(.rule(SmartRule([.init(.genre, .has, value: "jazz")], matchesAny: true)))])
        ),
        ("art.get", #"{"id":"91c3f0","w":96}"#, Commands.Picture("91c3f0", width: 96)),
        ("art.get", #"{"id":"91c3f0","w":96,"h":64,"fmt":"png"}"#, Commands.Picture("91c3f0", width: 96, height: 64, format: .png)),
    ]

    @Test(arguments: [
        (#"{"id":"p1","ops":[{"clear":1},{"name":"Walk","laterOn":1}]}"#, "/p/ops/1/laterOn"),
        (#"{"id":"p1","ops":[{"rule":{"any":[{"f":"genre","is":"has","v":"jazz"}],"laterOn":1}}]}"#, "/p/ops/0/rule/laterOn"),
        (#"{"id":"p1","ops":[{"rule":{"any":[{"f":"genre","is":"has","v":"jazz","laterOn":1}]}}]}"#, "/p/ops/0/rule/any/0/laterOn"),
    ])
    func `a step of an edit is understood whole or not at all`(params: String, place: String) {
        #expect {
            try decode("pl.edit", params)
        } throws: {
            ($0 as? ProtocolFault)?.code == .unsupported && ($0 as? ProtocolFault)?.at == place
        }
    }

    @Test(arguments: commands) func `a command becomes what it asks for`(
        method: String, params: String, command: any CommandRequest
    ) throws {
        #expect(try decode(method, params).isSame(as: command))
    }

    static let refused: [(String, String, String)] = [
        ("lib.search", "{}", "/p/q"), ("lib.search", #"{"q":""}"#, "/p/q"), ("lib.search", #"{"q":"  "}"#, "/p/q"),
        ("lib.search", #"{"q":"a","limit":0}"#, "/p/limit"), ("lib.search", #"{"q":"a","limit":101}"#, "/p/limit"),
        ("lib.search", #"{"q":"a","kinds":["song"]}"#, "/p/kinds/0"), ("lib.search", #"{"q":"a","kinds":[]}"#, "/p/kinds"),
        ("lib.search", #"{"q":"a","from":-1}"#, "/p/from"), ("lib.search", #"{"q":"a","cursor":""}"#, "/p/cursor"),
        ("lib.browse", #"{"sort":"size"}"#, "/p/sort"), ("lib.browse", #"{"node":""}"#, "/p/node"),
        ("lib.item", "{}", "/p/uri"), ("lib.item", #"{"uri":"a","media":1}"#, "/p/media"),
        ("lib.folders", #"{"in":"srv"}"#, "/p/in"), ("lib.folders", #"{"in":""}"#, "/p/in"),
        ("lib.folder", #"{"path":"music","on":true}"#, "/p/path"), ("lib.folder", #"{"path":"/music"}"#, "/p/on"),
        ("lib.folder", #"{"path":"/mu\u0000sic","on":true}"#, "/p/path"), ("hub.scan", #"{"full":1}"#, "/p/full"),
        ("fav.set", #"{"uri":"a"}"#, "/p/on"), ("rate.set", #"{"uri":"a","stars":6}"#, "/p/stars"),
        ("rate.set", #"{"uri":"a"}"#, "/p/stars"), ("lib.split", #"{"uri":"a:b"}"#, "/p/from"),
        ("lib.split", #"{"uri":"a:b","from":"a:b"}"#, "/p/from"),
        ("pl.get", "{}", "/p/id"), ("pl.get", #"{"id":"p 1"}"#, "/p/id"), ("pl.get", #"{"id":"p1","n":101}"#, "/p/n"),
        ("pl.create", "{}", "/p/name"), ("pl.create", #"{"name":" a"}"#, "/p/name"),
        ("pl.create", #"{"name":"a","uris":[7]}"#, "/p/uris/0"),
        ("pl.create", #"{"name":"a","uris":["b"],"rule":{"all":[{"f":"year","is":"is","v":"2000"}]}}"#, "/p/uris"),
        ("pl.create", #"{"name":"a","to":"attic","rule":{"all":[{"f":"year","is":"is","v":"2000"}]}}"#, "/p/to"),
        ("pl.delete", #"{"id":"p1","list":"a:playlist/1"}"#, "/p/id"), ("pl.delete", #"{"id":"p1","version":"v"}"#, "/p/version"),
        ("pl.edit", #"{"id":"p1","ops":[{"removeAt":[0]}]}"#, "/p/ops"),
        ("pl.edit", #"{"list":"a:playlist/1","ops":[{"removeAt":[0]}]}"#, "/p/version"),
        ("pl.edit", #"{"list":"a:playlist/1","version":"v","ops":[{"undo":1}]}"#, "/p/ops"),
        ("pl.edit", #"{"list":"a:playlist/1","version":"v","base":1,"ops":[{"name":"a"}]}"#, "/p/base"),
        ("pl.create", #"{"name":"a","rule":{}}"#, "/p/rule"), ("pl.create", #"{"name":"a","rule":{"all":[]}}"#, "/p/rule/all"),
        ("pl.create", #"{"name":"a","rule":{"all":[{"f":"size","is":"is","v":"1"}]}}"#, "/p/rule/all/0/f"),
        ("pl.create", #"{"name":"a","rule":{"all":[{"f":"year","is":"is","v":"old"}]}}"#, "/p/rule/all/0/v"),
        ("pl.create", #"{"name":"a","rule":{"all":[{"f":"title","is":"atMost","v":"b"}]}}"#, "/p/rule/all/0/is"),
        ("pl.edit", #"{"id":"p1"}"#, "/p/ops"), ("pl.edit", #"{"id":"p1","ops":[]}"#, "/p/ops"),
        ("pl.edit", #"{"id":"p1","ops":[{}]}"#, "/p/ops/0"), ("pl.edit", #"{"id":"p1","ops":[7]}"#, "/p/ops/0"),
        ("pl.edit", #"{"id":"p1","ops":[{"undo":1,"clear":1}]}"#, "/p/ops/0"),
        ("pl.edit", #"{"id":"p1","ops":[{"undo":2}]}"#, "/p/ops/0/undo"),
        ("pl.edit", #"{"id":"p1","ops":[{"clear":1}]}"#, "/p/base"), ("pl.edit", #"{"id":"p1","ops":[{"add":[]}]}"#, "/p/ops/0/add"),
        ("pl.edit", #"{"id":"p1","ops":[{"add":["a"],"at":"next"}]}"#, "/p/ops/0/at"),
        ("pl.edit", #"{"id":"p1","ops":[{"move":["q1"]}]}"#, "/p/ops/0/after"),
        ("pl.edit", #"{"id":"p1","ops":[{"remove":["x"]}]}"#, "/p/ops/0/remove/0"),
        ("art.get", #"{"id":"a"}"#, "/p/w"), ("art.get", #"{"id":"a","w":0}"#, "/p/w"), ("art.get", #"{"id":"a","w":2049}"#, "/p/w"),
        ("art.get", #"{"id":"../a","w":1}"#, "/p/id"), ("art.get", #"{"id":"a","w":1,"fmt":"gif"}"#, "/p/fmt"),
    ]

    @Test(arguments: refused) func `a wrong parameter is named and nothing is guessed`(method: String, params: String, place: String) {
        do throws(ProtocolFault) {
            let request = try decode(method, params)
            Issue.record("It was taken for \(request).")
        } catch {
            #expect(error.code == .badRequest)
            #expect(error.at == place)
            #expect(error.id == 7)
        }
    }

    @Test(arguments: [("pl.create", #"{"name":"a"}"#), ("pl.delete", #"{"id":"p1"}"#), ("pl.edit", #"{"id":"p1","ops":[{"undo":1}]}"#)])
    func `what would make or unmake twice needs a key`(method: String, params: String) {
        #expect(throws: ProtocolFault.self) { try decode(method, params, key: nil) }
        #expect(throws: Never.self) { try decode(method, params) }
    }

    @Test(arguments: [
        ("fav.set", #"{"uri":"a","on":true}"#), ("rate.set", #"{"uri":"a","stars":0}"#), ("hub.scan", "{}"), ("lib.search", #"{"q":"a"}"#),
        ("pl.list", "{}"),
    ])
    func `what says how it shall be, or only looks, needs none`(method: String, params: String) {
        #expect(throws: Never.self) { try decode(method, params, key: nil) }
    }

    @Test func `one edit adds at most 500 items, however many steps it has`() {
        let some = "{\"add\":[" + Array(repeating: "\"a:b/c\"", count: 251).joined(separator: ",") + "]}"
        #expect(throws: Never.self) { try decode("pl.edit", "{\"id\":\"p1\",\"ops\":[\(some)]}") }
        do throws(ProtocolFault) {
            _ = try decode("pl.edit", "{\"id\":\"p1\",\"ops\":[\(some),\(some)]}")
            Issue.record("It was taken.")
        } catch { #expect(error.code == .tooLarge && error.reason == Reason(.tooMany, ["max": 500])) }
    }

    @Test func `who may look may not change, and folders are the owner's`() {
        #expect(CommandKind.libSearch.role == .listener)
        #expect(CommandKind.artGet.role == .listener)
        #expect(CommandKind.libHistory.role == .listener)
        #expect(CommandKind.favSet.role == .remote)
        #expect(CommandKind.playlistEdit.role == .remote)
        #expect(CommandKind.libFolders.role == .admin)
        #expect(CommandKind.libFolder.role == .admin)
        #expect(CommandKind.hubScan.role == .admin)
    }
}
