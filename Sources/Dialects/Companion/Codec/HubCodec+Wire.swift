import BatonCore
import BatonProtocol
package import BatonSeams
import BatonWire

/// The companion protocol's codec, as the hub keeps devices by it.
extension HubCodec {
    package static let wire = HubCodec(
        encodeDevices: \.bytes, decodeDevices: { DeviceTable($0) },
        fittingRows: { list, bytes in list.fitting(bytes) })
}
