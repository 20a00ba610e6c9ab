package import BatonCore

/// Where it is kept which items are not the same track. Every call may wait for the disk.
package protocol FoldSplitKeeper: Sendable {
    /// Read once, when the hub begins.
    func splits() throws(SourceFault) -> [FoldSplit]

    /// Returns when it would survive the end of the program. False when it was so already.
    func setSplit(_ split: FoldSplit, _ isOn: Bool) throws(SourceFault) -> Bool
}
