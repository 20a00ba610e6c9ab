import BatonHub
package import BatonSeams
package import BatonServers
import Crypto
import Synchronization

/// Accounts at servers and their secrets in memory, which outlive a simulated hub. The disk can be full, and the hub can be
/// killed after so many writes.
package final class MemoryAccounts: AccountStorage, Sendable {
    private struct State {
        var accounts: [SourceAccount] = []
        var secrets: [String: SourceSecrets] = [:]
        var memories: [String: MemoryFacts] = [:]
        var writesLeft = Int.max
    }

    private let state = Mutex(State())

    package init() {}

    /// From then on every write is refused.
    package func allow(writes: Int) { state.withLock { $0.writesLeft = writes } }
    package var names: [String] { state.withLock { $0.accounts.map(\.name) } }
    package var keptSecrets: [String: SourceSecrets] { state.withLock { $0.secrets } }

    private func write(_ change: (inout State) -> Void) throws(SourceFault) {
        let isFull = state.withLock { state in
            guard state.writesLeft > 0 else { return true }
            state.writesLeft -= 1
            change(&state)
            return false
        }
        if isFull { throw SourceFault(.unavailable, "The disk is full.") }
    }

    package func accounts() throws(SourceFault) -> [SourceAccount] { state.withLock { $0.accounts } }

    package func store(_ account: SourceAccount) throws(SourceFault) {
        try write { state in
            if let at = state.accounts.firstIndex(where: { $0.name == account.name }) {
                state.accounts[at] = account
            } else {
                state.accounts.append(account)
            }
        }
    }

    package func remove(_ name: String) throws(SourceFault) {
        try write { state in
            state.accounts.removeAll { $0.name == name }
            state.memories[name] = nil
        }
    }

    package func memory(of name: String) -> any SourceMemory {
        state.withLock { state in
            let memory = state.memories[name] ?? MemoryFacts()
            state.memories[name] = memory
            return memory
        }
    }

    /// The secrets, which are kept apart from the accounts.
    package var vault: any SecretStorage { Vault(accounts: self) }

    package func secrets(of name: String) throws(SourceFault) -> SourceSecrets? { state.withLock { $0.secrets[name] } }
    package func store(_ secrets: SourceSecrets, of name: String) throws(SourceFault) { try write { $0.secrets[name] = secrets } }
    fileprivate func forget(_ name: String) throws(SourceFault) { try write { $0.secrets[name] = nil } }

    private struct Vault: SecretStorage {
        let accounts: MemoryAccounts

        func secrets(of name: String) throws(SourceFault) -> SourceSecrets? { try accounts.secrets(of: name) }
        func store(_ secrets: SourceSecrets, of name: String) throws(SourceFault) { try accounts.store(secrets, of: name) }
        func remove(_ name: String) throws(SourceFault) { try accounts.forget(name) }
    }
}

package final class MemoryFacts: SourceMemory {
    private let facts = Mutex<[String: String]>([:])

    package init() {}

    package func value(_ name: String) -> String? { facts.withLock { $0[name] } }
    package func store(_ value: String?, _ name: String) { facts.withLock { $0[name] = value } }
}

extension AccountParts {
    /// Accounts of the kind `memory`, whose servers are sources in memory; `made` is told of each.
    package static func inMemory(
        _ accounts: MemoryAccounts, configured: [Configured] = [],
        made: @escaping @Sendable (SourceAccount, SourceSecrets) -> any Connector = { account, _ in MemorySource(account.name, count: 10) }
    ) -> AccountParts {
        let quality = SourceKind.Option(name: "quality", about: "How tracks are sent.", usual: "raw") {
            ["raw", "mp3:192"].contains($0) ? nil : "quality must be raw or mp3:192."
        }
        let kind = SourceKind(
            name: "memory", title: "Memory", options: [quality],
            missing: { $0.user == nil || $0.password == nil ? "It needs a user and a password." : nil },
            make: { account, secrets, _ throws(SourceFault) in made(account, secrets) })
        return AccountParts(
            kinds: [kind], storage: accounts, secrets: accounts.vault, configured: configured, http: NoHTTP(),
            clock: .system, log: .silent, random: { [UInt8](repeating: 7, count: $0) }, md5: { OpenSSL().md5($0) })
    }
}

/// A network that is not there.
private struct NoHTTP: HTTPCalling {
    func call(_ call: HTTPCall) async throws(HTTPCallFault) -> HTTPAnswer { throw HTTPCallFault(.unreachable, "There is no network.") }
    func open(_ call: HTTPCall) async throws(SourceFault) -> any ByteSource { throw SourceFault(.unavailable, "There is no network.") }
}
