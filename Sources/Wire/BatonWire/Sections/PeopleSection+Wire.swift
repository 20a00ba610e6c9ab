import BatonCore
package import BatonProtocol

/// The JSON form of `PeopleSection` and its parts.
extension PeopleSection: SectionCoding {
    package func encode(into writer: inout JSONWriter) {
        encode(into: &writer, bytes: min(Section.people.cap, writer.bounds.message - writer.count), atLeast: 0)
    }

    fileprivate func encode(into writer: inout JSONWriter, bytes most: Int, atLeast least: Int) {
        switch self {
        case .list(let people, let more):
            let end = writer.count + most - 24
            writer.object { section in
                let written = section.member("list", people, upTo: end, atLeast: least) { $1.object($0.encodeMembers) }
                let left = more + people.count - written
                if left > 0 { section.member("more", left) }
            }
        case .number(let count): writer.object { $0.member("n", count) }
        }
    }

    /// Reads either form; the member `n` tells them apart.
    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .people)
        if let count = try fields.count("n") {
            self = .number(count)
        } else {
            self = .list(try fields.elements("list", Person.init(from:)) ?? [], more: try fields.count("more") ?? 0)
        }
    }
}

/// The JSON form of the answer that has the form of either section.
extension PeopleListing {
    package func encode(into writer: inout JSONWriter, bytes most: Int) {
        switch self {
        case .hub(let people): people.encode(into: &writer, bytes: most, atLeast: 1)
        case .room(let listeners): listeners.encode(into: &writer, bytes: most)
        }
    }

    /// Listeners have a `who`, which people who are connected to the hub do not have.
    package init(from value: JSON) throws(ProtocolFault) {
        let isOfRoom = value["vote"] != nil || value["list"]?.array?.first?["who"] != nil
        self = isOfRoom ? .room(try ListenersSection(from: value)) : .hub(try PeopleSection(from: value))
    }
}
