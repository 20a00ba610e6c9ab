/// Where the hub keeps its accounts at servers. Every call may wait for the disk, and returns when the change would survive the
/// end of the program.
///
/// Accounts and their secrets are kept apart: a copy of the accounts lets no one in anywhere.
package protocol AccountKeeper: Sendable {
    /// In the order in which they were added.
    func accounts() throws(SourceFault) -> [SourceAccount]

    /// Adds it, or takes the place of the one of its name. Accounts of `batond.conf` (`isConfigured`) are not given here.
    func keep(_ account: SourceAccount) throws(SourceFault)

    /// Forgets the account, and the memory of its connector. What its items left in lists and in the history stays.
    func remove(_ name: String) throws(SourceFault)

    /// Small facts that the connector of this account keeps.
    func memory(of name: String) -> any SourceMemory
}

/// Where the secrets of accounts are kept: in files that only the hub's user may read, or in credentials of the service manager.
package protocol SecretsKeeper: Sendable {
    /// `nil` when none are kept under this name.
    func secrets(of name: String) throws(SourceFault) -> SourceSecrets?

    /// Replaces them. Fails with `invalidState` for those that the service manager passed in.
    func keep(_ secrets: SourceSecrets, of name: String) throws(SourceFault)

    func remove(_ name: String) throws(SourceFault)
}
