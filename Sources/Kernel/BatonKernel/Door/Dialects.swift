package import BatonProtocol
package import BatonSeams

/// The protocols of the hub, and their open connections.
@Loop
package final class Dialects {
    /// Dialects in the order in which they were added, in which they are also told of changes.
    package var all: [any Dialect] = []
    private let media: MediaPasses

    init(_ media: MediaPasses) { self.media = media }

    /// Number of connections of all dialects, those without a device included.
    package var connections: Int { all.reduce(0) { $0 + $1.connections } }
    var connectionsByDevice: [DeviceID: Int] {
        all.reduce(into: [:]) { sum, dialect in sum.merge(dialect.connectionsByDevice, uniquingKeysWith: +) }
    }

    /// Ends the connections of a device, which must sign in again.
    package func end(_ device: DeviceID, _ fault: ProtocolFault) {
        media.end(device)
        for dialect in all { dialect.end(device, fault) }
    }
}
