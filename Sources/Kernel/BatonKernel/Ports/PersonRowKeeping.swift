package import BatonCore
package import BatonSeams

/// Keeps rows for single persons, such as marks, places, playlists or prompts. A person is asked for whole: to show everything that is kept, to
/// give it to a user, and to forget it.
@Loop
package protocol PersonRowKeeping: AnyObject {
    func rows(of person: Person) async throws(SourceFault) -> [PersonRow]
    func give(_ person: Person, to user: Person) async throws(SourceFault)
    func forget(_ person: Person) async throws(SourceFault)
}
