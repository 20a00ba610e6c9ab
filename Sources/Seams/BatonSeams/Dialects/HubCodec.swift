package import BatonProtocol

/// The codec, as far as the hub needs one without knowing which: for what it keeps in files, and for the length of a page.
package struct HubCodec: Sendable {
    /// The list of devices as it is kept. Reading gives `nil` for bytes that are no such list.
    package var encodeDevices: @Sendable (DeviceTable) -> [UInt8]
    package var decodeDevices: @Sendable ([UInt8]) -> DeviceTable?
    package var fittingRows: FittingRows

    /// How many rows of a list a page of so many bytes holds, when each is given its marks later.
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
