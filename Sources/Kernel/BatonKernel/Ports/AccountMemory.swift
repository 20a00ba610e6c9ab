package import BatonSeams

/// The accounts at servers: their display names, and the notes that are stored with an account and deleted with it.
@Loop
package protocol AccountMemory: AnyObject {
    /// The name that people see for the account; `nil` if there is no such account.
    func title(ofAccount name: String) -> String?
    /// The notes of the account, for one part under names of its own; `nil` if the accounts have no store.
    func memory(ofAccount name: String) -> (any SourceMemory)?
}
