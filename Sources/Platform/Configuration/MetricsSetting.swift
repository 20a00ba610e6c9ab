/// Who may read the hub's figures: no one, admins by the hub's own ports, or all who reach a listening socket that has nothing else.
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
