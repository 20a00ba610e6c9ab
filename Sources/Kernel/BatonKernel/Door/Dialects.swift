import BatonProtocol
import BatonSeams

/// The protocols by which the hub is reached, and what is open by them.
@Loop
final class Dialects {
    var all: [any Dialect] = []
    private let media: MediaPasses

    init(_ media: MediaPasses) { self.media = media }

    var connections: Int { all.reduce(0) { $0 + $1.connections } }
    var connectionsByDevice: [DeviceID: Int] {
        all.reduce(into: [:]) { sum, dialect in sum.merge(dialect.connectionsByDevice, uniquingKeysWith: +) }
    }

    /// The device may not go on as it is.
    func end(_ device: DeviceID, _ fault: ProtocolFault) {
        media.end(device)
        for dialect in all { dialect.end(device, fault) }
    }
}
