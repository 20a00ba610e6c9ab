/// The vectors of playlists in `Protocol/vectors`: the store is asked as the wire asks it.
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Foundation
import Testing

@testable import Stores

struct PlaylistVectorTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Protocol/vectors/v1/playlist.json")

    /// What the wire calls a refusal of the store.
    private static let codes: [SourceFault.Code: String] = [
        .anchorGone: "anchor_gone", .gone: "gone", .conflict: "queue_conflict", .invalidState: "invalid_state", .badRequest: "bad_request",
    ]

    private func items(_ uris: [ItemURI]) -> [NewEntry] { uris.map { NewEntry(uri: $0, tags: Tags(title: $0.text)) } }

    /// The answer as the vector writes it.
    private func answer(_ library: LibraryStore, _ list: PlaylistID, _ edit: JSON) -> JSON {
        var params: JSONObject = ["id": .string(list.text)]
        params["ops"] = edit["ops"]
        params["base"] = edit["base"]
        do {
            let command = try Commands.PlaylistEdit(params: params, limits: .standard)
            let edits: [PlaylistEdit] = command.ops.compactMap { op in
                switch op {
                case .add(let uris, let place): .add(items(uris), at: place)
                case .plain(let edit): edit
                case .indexed: nil
                }
            }
            let outcome = try library.editPlaylist(list, base: command.base, edits, once: nil, atMs: 1)
            var answer: JSONObject = ["st": .string(outcome.isNoop ? "noop" : "applied"), "rev": .int(Int64(outcome.revision))]
            if !outcome.added.isEmpty { answer["ids"] = .array(outcome.added.map { .string($0.text) }) }
            return .object(answer)
        } catch let fault as SourceFault {
            return ["err": .string(Self.codes[fault.code] ?? "\(fault.code)")]
        } catch let fault as ProtocolFault {
            return ["err": .string(fault.code.rawValue)]
        } catch {
            return .string("\(error)")
        }
    }

    /// BT-PLS-001 BT-PLS-004 BT-PLS-005 BT-PLS-006
    @Test func `a list is after each edit what its vector says`() throws {
        let vectors = try #require(try JSON.parse([UInt8](Data(contentsOf: Self.file)))["cases"]?.array)
        #expect(vectors.count > 30)
        try withLibrary { library in
            for vector in vectors {
                let name = vector["name"]?.string ?? ""
                let begins = (0..<Int(vector["start"]?.int ?? 0)).map { ItemURI("lib:track/\($0)") }
                let list = try library.createPlaylist("List", items(begins), rule: nil, once: nil, atMs: 1).id
                for (place, edit) in (vector["edits"]?.array ?? []).enumerated() {
                    #expect(answer(library, list, edit) == edit["expect"], "\(name), edit \(place)")
                    let page = try library.playlist(list, from: 0, count: 100)
                    #expect(page.entries.map(\.id.text) == edit["after"]?.array?.map { $0.string }, "\(name), edit \(place)")
                    #expect(page.list.name == edit["name"]?.string && page.list.undo == edit["undo"]?.string, "\(name), edit \(place)")
                }
            }
        }
    }
}
