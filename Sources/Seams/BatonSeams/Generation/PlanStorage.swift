/// The store of plans for generating music, as texts that only their writer understands. Every call may wait for the disk.
package protocol PlanStorage: Sendable {
    /// The plans of this kind by name.
    func plans(_ kind: PlanKind) throws(SourceFault) -> [String: String]
    /// Stores a plan. Returns when it would survive the end of the program; `nil` removes it.
    func put(_ plan: String?, _ kind: PlanKind, named name: String) throws(SourceFault)
}

/// The kind of plan.
package enum PlanKind: String, Sendable, CaseIterable {
    /// Plans of rooms, by room id.
    case endless
    /// Plans of clips, by session id.
    case session
}
