package import BatonCore
package import BatonSeams

/// Stores rows of single persons, such as marks, places, playlists or prompts. All rows of a person can be shown, moved to a
/// user, or deleted.
@Loop
package protocol PersonRowKeeping: AnyObject {
    func rows(of person: Person) async throws(SourceFault) -> [PersonRow]
    func give(_ person: Person, to user: Person) async throws(SourceFault)
    func forget(_ person: Person) async throws(SourceFault)
}
