package import BatonCore
package import BatonSeams

/// Everything that the stores keep for one person, as a whole.
@Loop
package final class PersonalRows {
    private var keepers: [any PersonRowKeeping] = []

    /// Keepers are asked one after the other, in the order in which they were added.
    package func add(_ keeper: any PersonRowKeeping) { keepers.append(keeper) }

    package func rows(of person: Person) async throws(SourceFault) -> [PersonRow] {
        var rows: [PersonRow] = []
        for keeper in keepers { rows += try await keeper.rows(of: person) }
        return rows
    }

    /// Marks, places and playlists of a person go to a user, and so do the prompts of devices that are called so.
    package func give(_ person: Person, to user: Person) async throws(SourceFault) {
        for keeper in keepers { try await keeper.give(person, to: user) }
    }

    package func forget(_ person: Person) async throws(SourceFault) {
        for keeper in keepers { try await keeper.forget(person) }
    }
}
