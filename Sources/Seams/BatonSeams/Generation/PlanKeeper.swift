/// Keeps what a hub intends with music in the making, as texts that only their writer understands. Every call may wait for the disk.
package protocol PlanKeeper: Sendable {
    /// The plans of this kind, by their names.
    func plans(_ kind: PlanKind) throws(SourceFault) -> [String: String]
    /// Returns when the plan would survive the end of the program; `nil` forgets it.
    func put(_ plan: String?, _ kind: PlanKind, named name: String) throws(SourceFault)
}

package enum PlanKind: String, Sendable, CaseIterable {
    /// Of rooms, by their ids.
    case endless
    /// Of clips, by the ids of their sessions.
    case session
}
