import BatonCore
import BatonProtocol
package import BatonSeams
import BatonWire

/// The codec of the companion protocol, which the hub uses to store devices.
extension HubCodec {
    package static let wire = HubCodec(
        encodeDevices: \.bytes, decodeDevices: { DeviceTable($0) },
        fittingRows: { list, bytes in list.fitting(bytes) })
}
