import BatonProtocol
import BatonSeams

/// The protocols by which the hub is reached.
@Loop
final class Dialects {
    var all: [any Dialect] = []

    var connections: Int { all.reduce(0) { $0 + $1.connections } }
    var connectionsByDevice: [DeviceID: Int] {
        all.reduce(into: [:]) { sum, dialect in sum.merge(dialect.connectionsByDevice, uniquingKeysWith: +) }
    }
}
