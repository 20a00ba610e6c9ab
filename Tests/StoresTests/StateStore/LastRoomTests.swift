/// Protocol/profiles/rooms.md, BT-HS-018: the room a client chose last.
import BatonCore
import BatonSeams
import Harness
import Testing

@testable import Stores

struct LastRoomTests {
    private func lastRoom(_ client: String, _ room: String) -> LastRoom { LastRoom(client: client, room: RoomID(room)) }

    @Test func `the last choice of each client is there after a restart, in the order of choosing`() throws {
        try withFolder { folder in
            try withStore(in: folder) { file in
                for lastRoom in [lastRoom("a", "bath"), lastRoom("b", "hall"), lastRoom("a", "main")] { try file.store(lastRoom) }
            }

            let kept = try withStore(in: folder) { try $0.load().lastRooms }
            #expect(kept == [lastRoom("b", "hall"), lastRoom("a", "main")])
        }
    }

    @Test func `only the latest thousand are kept`() throws {
        try withFolder { folder in
            try withStore(in: folder) { file in
                for number in 0..<JournalRules.lastRooms + 5 { try file.store(lastRoom("client-\(number)", "bath")) }

                let kept = try file.load().lastRooms
                #expect(kept.count == JournalRules.lastRooms && kept.first?.client == "client-5")
            }
        }
    }
}
