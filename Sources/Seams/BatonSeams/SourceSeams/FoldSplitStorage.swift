package import BatonCore

/// The store of items that are different tracks. Every call may wait for the disk.
package protocol FoldSplitStorage: Sendable {
    /// All splits, read once at the start of the hub.
    func splits() throws(SourceFault) -> [FoldSplit]

    /// Returns when the change would survive the end of the program; false when nothing changes.
    func setSplit(_ split: FoldSplit, _ isOn: Bool) throws(SourceFault) -> Bool
}
