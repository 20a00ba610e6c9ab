package import BatonCore
package import BatonSeams

/// Stores rows of single persons, such as marks, places, playlists or prompts. All rows of a person can be shown, moved to a
/// user, or deleted.
@Loop
package protocol PersonRowStorage: AnyObject {
    /// All rows of the person in this store, for `user.export`.
    func rows(of person: Person) async throws(SourceFault) -> [PersonRow]
    /// Moves the rows to the user, who may have rows of their own.
    func give(_ person: Person, to user: Person) async throws(SourceFault)
    /// Deletes the rows of the person. It does nothing for a person without rows.
    func forget(_ person: Person) async throws(SourceFault)
}
