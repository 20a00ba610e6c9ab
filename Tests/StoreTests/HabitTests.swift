/// Protocol/spec.md, BT-HS-005: the room a client chose last.
import BatonCore
import BatonSeams
import Testing

@testable import Store

struct HabitTests {
    private func habit(_ client: String, _ room: String) -> Habit { Habit(client: client, room: RoomID(room)) }

    @Test func `the last choice of each client is there after a restart, in the order of choosing`() throws {
        try withFolder { folder in
            try withStore(in: folder) { file in
                for habit in [habit("a", "bath"), habit("b", "hall"), habit("a", "main")] { try file.keep(habit) }
            }

            let kept = try withStore(in: folder) { try $0.load().habits }
            #expect(kept == [habit("b", "hall"), habit("a", "main")])
        }
    }

    @Test func `only the latest thousand are kept`() throws {
        try withFolder { folder in
            try withStore(in: folder) { file in
                for number in 0..<JournalRules.habits + 5 { try file.keep(habit("client-\(number)", "bath")) }

                let kept = try file.load().habits
                #expect(kept.count == JournalRules.habits && kept.first?.client == "client-5")
            }
        }
    }
}
