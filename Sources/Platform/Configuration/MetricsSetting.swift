/// Access to the hub's metrics: none, admins on the hub's usual ports, or everyone on a separate listening socket.
package enum MetricsSetting: Equatable, Sendable {
    case off
    case admins
    case apart(ListenAddress)
}

extension Kind where Value == MetricsSetting {
    static var metrics: Kind {
        one("off, admins, or HOST:PORT as in 127.0.0.1:9444", "off|admins|HOST:PORT") { text, _ in
            switch text {
            case "off": .off
            case "admins": .admins
            default: ListenAddress(text: text).map { .apart($0) }
            }
        }
    }
}
