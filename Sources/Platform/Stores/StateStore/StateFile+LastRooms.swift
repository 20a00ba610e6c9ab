import BatonCore
package import BatonSeams
import SQLite

/// The last room of each client.
extension StateFile {
    package func store(_ lastRoom: LastRoom) throws(JournalFault) {
        try guarded { () throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                // A replaced row gets a new number, so numbers give the order of choices.
                try database.run(
                    "INSERT OR REPLACE INTO habit (client, room) VALUES (?, ?)", [.text(lastRoom.client), .text(lastRoom.room.text)])
                try database.run("DELETE FROM habit WHERE n <= (SELECT max(n) FROM habit) - ?", [.int(JournalRules.lastRooms)])
            }
        }
    }

    func lastRooms() throws(DatabaseError) -> [LastRoom] {
        var lastRooms: [LastRoom] = []
        try database.each("SELECT client, room FROM habit ORDER BY n") { row in
            lastRooms.append(LastRoom(client: row.text(0), room: RoomID(row.text(1))))
        }
        return lastRooms
    }
}
