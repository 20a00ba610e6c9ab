import BatonCore
package import BatonProtocol

/// How `ListenersSection` and what belongs to it are written as JSON and read from it.
extension ListenersSection: SectionCoding {
    /// For the vote behind the list.
    private static let voteBytes = 160

    package func encode(into writer: inout JSONWriter) {
        let start = writer.count
        writer.object { section in
            let end = min(start + Section.listeners.cap, section.bounds.message)
            section.members(of: listeners, name: "list", more: more, budget: end - Self.voteBytes)
            guard let vote else { return }
            section.member(
                "vote",
                object: { member in
                    member.member("share", vote.share)
                    member.member("entry", ifPresent: vote.entry?.text)
                    member.member("n", vote.count)
                    member.member("need", vote.needed)
                })
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .listeners)
        let (listeners, more) = try fields.cappedList("list", Listener.init(from:))
        self.init(listeners, more: more, vote: try fields.fields("vote").map { vote throws(ProtocolFault) in try Vote(from: vote) })
    }
}

extension ListenersSection.Listener: ListElement {
    func encode(into writer: inout JSONWriter) {
        writer.object { listener in
            listener.member("who", who)
            listener.member("name", listener.shown(name, .watch))
            listener.member("role", role.rawValue)
            if let device { listener.member("dev", listener.shown(device, .watch)) }
            listener.member("sinceMs", sinceMs)
            if hears { listener.member("hears", true) }
            if let report { listener.member("report", object: report.encodeMembers) }
        }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            who: try fields.required("who", fields.text("who")), name: try fields.required("name", fields.text("name")),
            role: try fields.required("role", fields.choice("role")), device: try fields.text("dev"),
            sinceMs: try fields.required("sinceMs", fields.int64("sinceMs")), hears: try fields.bool("hears") ?? false,
            report: try fields.fields("report").map(ListenerReport.init(from:)))
    }
}

extension ListenersSection.Vote {
    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            share: try fields.required("share", fields.count("share")), entry: try fields.text("entry").flatMap(EntryID.init(text:)),
            count: try fields.required("n", fields.count("n")), needed: try fields.required("need", fields.count("need")))
    }
}
