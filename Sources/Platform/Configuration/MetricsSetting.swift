/// Who may read the hub's figures: no one, admins by the hub's own ports, or all who reach a listening socket that has nothing else.
package enum MetricsSetting: Equatable, Sendable {
    case off
    case admins
    case apart(ListenAddress)
}

extension Kind {
    static let metrics = Kind(
        accepts: "off, admins, or HOST:PORT as in 127.0.0.1:9444", placeholder: "off|admins|HOST:PORT", repeats: false
    ) { texts, _, settings in
        switch texts.first {
        case "off"?: settings.metrics = .off
        case "admins"?: settings.metrics = .admins
        case let text?:
            guard let address = ListenAddress(text: text) else { return false }
            settings.metrics = .apart(address)
        case nil: return false
        }
        return texts.count == 1
    }
}
