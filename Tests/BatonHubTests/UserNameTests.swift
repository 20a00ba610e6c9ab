/// Names of users that people take for one. BT-USR-013
import BatonCore
import BatonLibrary
import BatonProtocol
import BatonSeams
import BatonWire
import Foundation
import Harness
import Stores
import Testing

@Suite struct `The name of a user` {
    @Test(arguments: [("Straße", "STRASSE"), ("Renée", "renee"), ("Zoë", "ZOË"), ("Ａnna", "anna"), ("Ǆemal", "džemal"), ("A-B", "a-b")])
    func `is one in any case, width and with any marks`(name: String, same: String) async throws {
        try await onLoop {
            let sim = try SimulatedHub(userPolicy: UserPolicy(signUp: .open))
            let remote = try sim.remote()
            #expect(await remote.did(Commands.UserAdd(name, password: "a long sentence")))

            #expect(await remote.refused(Commands.UserAdd(same, password: "a long sentence"))?.code == "invalid_state")
            let signed: SignedInUser = try await remote.asked(Commands.UserSignIn(same, password: "a long sentence"))
            #expect(signed.user == name)
        }
    }

    /// BT-PRV-001
    @Test(arguments: [Role.listener, .guest, .remote])
    func `is told with a playlist to those who learn names`(role: Role) async throws {
        try await onLoop {
            let folder = FileManager.default.temporaryDirectory.path + "/baton-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let store = try LibraryStore(folder: folder)
            let sim = try SimulatedHub(
                library: LibraryParts(userMarks: store, persons: store, connectors: []), userPolicy: UserPolicy(signUp: .open))
            defer {
                sim.kill()
                store.close()
                try? FileManager.default.removeItem(atPath: folder)
            }
            let signed: SignedInUser = try await sim.remote(id: "anna-1").asked(Commands.UserSignUp("Anna", password: "a long sentence"))
            let anna = try sim.remote(id: "anna-2", user: signed.token)
            let made: PlaylistEdited = try await anna.asked(Commands.PlaylistCreate("Run", uris: [ItemURI("file:track/1")]))
            let list = try #require(made.id)
            #expect(await anna.did(Commands.PlaylistShare(list, share: .shared)))

            let other = try sim.connect(over: .unix(uid: 0, gid: 0))
            other.sendText(#"{"t":"hello","core":"1.0","view":"full","role":"\#(role.rawValue)","client":{"id":"other-1"}}"#)
            let row = await other.awaitReply(other.send(Commands.Playlists()))?.data?["rows"]?.array?.first
            let whole = await other.awaitReply(other.send(Commands.Playlist(list)))?.data?["list"]
            for shown in [row, whole] {
                #expect(shown?["name"]?.string == "Run" && shown?["share"]?.string == "shared")
                #expect(shown?["by"]?.string == (role >= .remote ? "Anna" : nil))
            }
        }
    }
}
