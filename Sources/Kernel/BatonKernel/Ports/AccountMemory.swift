package import BatonSeams

/// Knows the accounts at servers: the name for people, and the notes that stand beside an account and go with it.
@Loop
package protocol AccountMemory: AnyObject {
    func title(ofAccount name: String) -> String?
    func memory(ofAccount name: String) -> (any SourceMemory)?
}
