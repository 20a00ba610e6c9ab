/// The store of accounts at servers. Every call may wait for the disk, and returns when the change would survive the end of the program.
///
/// Secrets are stored elsewhere, so that a copy of the accounts gives no access.
package protocol AccountStorage: Sendable {
    /// All accounts in the order in which they were added.
    func accounts() throws(SourceFault) -> [SourceAccount]

    /// Adds an account, or replaces the one with its name. Accounts of `batond.conf` (`isConfigured`) are not stored.
    func store(_ account: SourceAccount) throws(SourceFault)

    /// Forgets the account and its connector's memory. Its items in lists and in the history stay.
    func remove(_ name: String) throws(SourceFault)

    /// The memory of the account's connector.
    func memory(of name: String) -> any SourceMemory
}

/// The store of secrets of accounts: files that only the hub's user may read, or credentials of the service manager.
package protocol SecretStorage: Sendable {
    /// The secrets under this name; `nil` when there are none.
    func secrets(of name: String) throws(SourceFault) -> SourceSecrets?

    /// Replaces the secrets. Fails with `invalidState` for those from the service manager.
    func store(_ secrets: SourceSecrets, of name: String) throws(SourceFault)

    func remove(_ name: String) throws(SourceFault)
}
