/// Playback speeds of speech for each person.
package import BatonCore
package import BatonSeams
import SQLite

extension LibraryStore {
    package func spokenSpeeds() throws(SourceFault) -> [Person: SpokenSpeeds] {
        try look { library throws(SourceFault) in
            let rows = try library.all("SELECT person, speech_speed, work_speeds FROM listener", []) { row in
                (Person(row.text(0)), SpokenSpeeds(last: row.int(1), worksText: row.text(2)))
            }
            return Dictionary(rows, uniquingKeysWith: { first, _ in first })
        }
    }

    package func store(_ speeds: SpokenSpeeds, of person: Person) throws(SourceFault) {
        try change { library throws(SourceFault) in
            _ = try library.run(
                """
                INSERT INTO listener (person, speech_speed, work_speeds) VALUES (?, ?, ?)
                    ON CONFLICT (person) DO UPDATE SET speech_speed = excluded.speech_speed, work_speeds = excluded.work_speeds
                """, [.text(person.text), .int(speeds.last), .text(speeds.worksText)])
        }
    }
}
