import BatonCore

extension Commands.PlaylistEdit {
    /// Checks that the list supports the steps.
    func check(_ faults: ParameterFaults) throws(ProtocolFault) {
        guard list != nil else {
            if ops.contains(where: \.isOfServers) {
                throw faults.fault("ops", "Only a list that a server keeps is edited by places. This one knows its entries by their ids.")
            }
            if base == nil, ops.contains(.plain(.clear)) {
                throw faults.fault("base", "base is missing: clearing a playlist names the revision it was looked at.")
            }
            return
        }
        guard ops.allSatisfy(\.isKnownToServers) else {
            throw faults.fault("ops", "A list that a server keeps knows add, removeAt, moveAt, name, about and public.")
        }
        if version == nil, ops.contains(where: \.namesIndices) {
            throw faults.fault("version", "version is missing: places are those of a state of the list.")
        }
    }
}
