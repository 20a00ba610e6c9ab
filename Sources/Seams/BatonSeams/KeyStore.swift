/// Where a hub keeps what no other user may read: the keys of its devices. Apart from the state, so that
/// a copy of the one is no copy of the other.
@Loop
package protocol KeyStore: AnyObject {
    /// What was kept last; `nil` when there never was anything.
    func load() throws(KeyStoreFault) -> [UInt8]?
    /// Replaces it. Returns when it would survive the loss of power.
    func keep(_ secrets: [UInt8]) throws(KeyStoreFault)
}

package struct KeyStoreFault: Error, Equatable, Sendable {
    /// For people.
    package var sentence: String

    package init(_ sentence: String) { self.sentence = sentence }
}
