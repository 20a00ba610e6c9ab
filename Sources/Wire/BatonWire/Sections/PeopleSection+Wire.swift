import BatonCore
package import BatonProtocol

/// The JSON form of `PeopleSection` and its parts.
extension PeopleSection: SectionCoding {
    package func encode(into writer: inout JSONWriter) {
        switch self {
        case .list(let people, let more):
            let end = min(writer.count + Section.people.cap, writer.bounds.message) - 24
            writer.object { section in
                let written = section.member("list", people, upTo: end) { $1.object($0.encodeMembers) }
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
