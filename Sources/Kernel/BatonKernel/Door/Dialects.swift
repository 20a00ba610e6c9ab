package import BatonProtocol
package import BatonSeams

/// The protocols by which the hub is reached, and what is open by them.
@Loop
package final class Dialects {
    package var all: [any Dialect] = []
    private let media: MediaPasses

    package init(_ media: MediaPasses) { self.media = media }

    package var connections: Int { all.reduce(0) { $0 + $1.connections } }
    var connectionsByDevice: [DeviceID: Int] {
        all.reduce(into: [:]) { sum, dialect in sum.merge(dialect.connectionsByDevice, uniquingKeysWith: +) }
    }

    /// The device may not go on as it is.
    package func end(_ device: DeviceID, _ fault: ProtocolFault) {
        media.end(device)
        for dialect in all { dialect.end(device, fault) }
    }
}
