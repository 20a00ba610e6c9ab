/// The store of data that no other user may read: the keys of the hub's devices. It is separate from the state, so that a copy of the state contains
/// no keys.
@Loop
package protocol KeyStore: AnyObject {
    /// The last stored keys; `nil` when there were never any.
    func load() throws(KeyStoreFault) -> [UInt8]?
    /// Replaces the keys. Returns when they would survive a power failure.
    func store(_ secrets: [UInt8]) throws(KeyStoreFault)
}

/// The reason why keys could not be read or stored.
package struct KeyStoreFault: Error, Equatable, Sendable {
    /// A sentence for people.
    package var sentence: String

    package init(_ sentence: String) { self.sentence = sentence }
}
