import BatonCore
package import BatonProtocol

/// How `PeopleSection` and what belongs to it are written as JSON and read from it.
extension PeopleSection: SectionCoding {
    package func encode(into writer: inout JSONWriter) {
        switch self {
        case .list(let people, let more): writer.list(people, more: more, cap: Section.people.cap)
        case .number(let count): writer.object { $0.member("n", count) }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .people)
        if let count = try fields.count("n") {
            self = .number(count)
        } else {
            let (people, more) = try fields.cappedList("list", Person.init(from:))
            self = .list(people, more: more)
        }
    }
}

extension PeopleSection.Person: ListElement {
    func encode(into writer: inout JSONWriter) {
        writer.object { person in
            person.member("name", person.shown(name, .watch))
            person.member("role", role.rawValue)
            person.member("room", ifPresent: room?.text)
            person.member("sinceMs", sinceMs)
            person.member("idleSinceMs", ifPresent: idleSinceMs)
        }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            name: try fields.required("name", fields.text("name")),
            role: try fields.required("role", fields.choice("role")),
            room: try fields.text("room").map { RoomID($0) },
            sinceMs: try fields.required("sinceMs", fields.int64("sinceMs")),
            idleSinceMs: try fields.int64("idleSinceMs"))
    }
}
