import BatonCore
package import BatonKernel
package import BatonProtocol
package import BatonSeams

/// Other protocols by which programs control the hub: who owns the hub sees and switches them, and makes their passwords.
@Loop
package final class DialectAccessFeature: Feature {
    package let name = FeatureName.dialectAccess
    package let passwords: PasswordRegistry
    package let switches: DialectSwitches
    private let ledger: Ledger

    package init(_ kernel: Kernel) {
        switches = DialectSwitches()
        passwords = PasswordRegistry(clock: kernel.clock, switches: switches)
        ledger = kernel.ledger
    }

    package func install(in commands: CommandTable) {
        DialectCommands(passwords: passwords, switches: switches, ledger: ledger).install(in: commands)
    }

    /// Opens what is stored. Without it no password is known, and nothing can be switched.
    package func open(_ parts: DialectParts) async throws(FeatureFault) {
        let passwords: [StoredDialectPassword]
        let switches: [String: Bool]
        do throws(SourceFault) {
            passwords = try await parts.storing { store throws(SourceFault) in try store.passwords() }
            switches = try await parts.storing { store throws(SourceFault) in try store.switches() }
        } catch {
            throw FeatureFault(error.sentence)
        }
        self.passwords.open(parts, passwords)
        await self.switches.open(parts, switches)
    }
}

extension FeatureName {
    package static let dialectAccess = FeatureName("dialect access")
}

/// The parts that the program adds: where passwords and switches are stored, and what hashes passwords.
package struct DialectParts: Sendable {
    let storage: any DialectStorage
    let hashing: any PasswordHashing
    let cryptography: any Cryptography
    /// The executor for blocking reads and writes.
    let pool: any TaskExecutor

    package init(
        storage: any DialectStorage, hashing: any PasswordHashing, cryptography: any Cryptography, pool: any TaskExecutor
    ) {
        self.storage = storage
        self.hashing = hashing
        self.cryptography = cryptography
        self.pool = pool
    }

    /// Asks the store away from the loop.
    func storing<Result: Sendable>(
        _ body: @escaping @Sendable (any DialectStorage) throws(SourceFault) -> Result
    ) async throws(SourceFault) -> Result {
        try await withTaskExecutorPreference(pool) { () async throws(SourceFault) in try await Self.call(body, storage) }
    }

    private nonisolated static func call<Result>(
        _ body: (any DialectStorage) throws(SourceFault) -> Result, _ storage: any DialectStorage
    ) async throws(SourceFault) -> Result {
        try body(storage)
    }
}
