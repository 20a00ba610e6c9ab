package import BatonSeams

/// The accounts at servers: their display names, and the notes that are stored with an account and deleted with it.
@Loop
package protocol AccountMemory: AnyObject {
    func title(ofAccount name: String) -> String?
    func memory(ofAccount name: String) -> (any SourceMemory)?
}
