package import BatonProtocol

/// The section `listeners` without its list.
extension VotesSection {
    package func encode(into writer: inout JSONWriter) {
        writer.object { $0.member("vote", object: { vote.encodeMembers(into: &$0) }) }
    }
}
