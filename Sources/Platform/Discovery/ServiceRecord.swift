/// One service in DNS-SD: its type, its port, and its TXT record.
package struct ServiceRecord: Equatable, Sendable {
    /// The type of the service, for example `_baton._tcp`.
    package var type: String
    package var port: UInt16
    /// The strings of the TXT record, in their order.
    package var txt: [String]
    /// Subtypes under which it is also found, such as `_pair._sub._baton._tcp`. They change without the service.
    package var subtypes: [String]

    package init(type: String, port: UInt16, txt: [String] = [], subtypes: [String] = []) {
        self.type = type
        self.port = port
        self.txt = txt
        self.subtypes = subtypes
    }
}

extension HubRecord {
    /// `nil` for a hub without a port.
    var service: ServiceRecord? {
        port.map { ServiceRecord(type: Self.serviceType, port: $0, txt: txt, subtypes: pairing ? [Self.pairingSubtype] : []) }
    }
}
