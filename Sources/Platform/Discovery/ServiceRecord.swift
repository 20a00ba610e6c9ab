/// One service as DNS-SD announces it: its type, where it listens, and what its TXT record says.
package struct ServiceRecord: Equatable, Sendable {
    /// The type of the service, for example `_baton._tcp`.
    package var type: String
    package var port: UInt16
    /// The strings of the TXT record, in their order.
    package var txt: [String]
    /// Narrower types under which it is found too, such as `_pair._sub._baton._tcp`. They come and go without the service.
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
