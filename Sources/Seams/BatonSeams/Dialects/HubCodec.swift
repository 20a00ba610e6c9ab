package import BatonProtocol

/// The codec, as far as the hub needs one without knowing which: for what it keeps in files, and for the length of a page.
package struct HubCodec: Sendable {
    /// An answer as it is kept beside its key. Reading gives `nil` for bytes that are no answer.
    package var encodeReply: @Sendable (Reply) -> [UInt8]
    package var decodeReply: @Sendable ([UInt8]) -> Reply?
    /// The list of devices as it is kept.
    package var encodeDevices: @Sendable (DeviceTable) -> [UInt8]
    package var decodeDevices: @Sendable ([UInt8]) -> DeviceTable?
    package var fittingRows: FittingRows

    /// How many rows of a list a page of so many bytes holds, when this many rows are given their marks later.
    package typealias FittingRows = @Sendable (_ list: ItemList, _ bytes: Int, _ marks: Int) -> Int

    package init(
        encodeReply: @escaping @Sendable (Reply) -> [UInt8], decodeReply: @escaping @Sendable ([UInt8]) -> Reply?,
        encodeDevices: @escaping @Sendable (DeviceTable) -> [UInt8], decodeDevices: @escaping @Sendable ([UInt8]) -> DeviceTable?,
        fittingRows: @escaping FittingRows
    ) {
        self.encodeReply = encodeReply
        self.decodeReply = decodeReply
        self.encodeDevices = encodeDevices
        self.decodeDevices = decodeDevices
        self.fittingRows = fittingRows
    }
}
