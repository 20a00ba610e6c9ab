package import BatonSeams

/// Secrets in memory, which outlive a simulated hub and can be made to be refused.
@Loop
package final class MemoryKeyStore: KeyStore {
    package private(set) var kept: [UInt8]?
    package var isFull = false

    package init() {}

    package func load() -> [UInt8]? { kept }

    package func store(_ secrets: [UInt8]) throws(KeyStoreFault) {
        if isFull { throw KeyStoreFault("The disk is full.") }
        kept = secrets
    }
}
