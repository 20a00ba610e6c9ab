package import BatonProtocol

/// The parts of the codec that the hub needs without knowing which codec it is: for stored files, and for the length of a page.
package struct HubCodec: Sendable {
    /// Encodes the list of devices for storage. Decoding gives `nil` for other bytes.
    package var encodeDevices: @Sendable (DeviceTable) -> [UInt8]
    /// Decodes a stored list; `nil` for bytes that are not such a list.
    package var decodeDevices: @Sendable ([UInt8]) -> DeviceTable?
    /// Counts the rows that fit into a page.
    package var fittingRows: FittingRows

    /// Number of a list's rows that fit into a page of this size, when each gets its marks later.
    package typealias FittingRows = @Sendable (_ list: ItemList, _ bytes: Int) -> Int

    package init(
        encodeDevices: @escaping @Sendable (DeviceTable) -> [UInt8], decodeDevices: @escaping @Sendable ([UInt8]) -> DeviceTable?,
        fittingRows: @escaping FittingRows
    ) {
        self.encodeDevices = encodeDevices
        self.decodeDevices = decodeDevices
        self.fittingRows = fittingRows
    }
}
