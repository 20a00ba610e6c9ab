package import BatonCore
package import BatonSeams

/// All rows that the stores hold for single persons.
@Loop
package final class PersonalRows {
    private var storages: [any PersonRowStorage] = []

    /// Adds a store. Stores are called in the order in which they were added.
    package func add(_ storage: any PersonRowStorage) { storages.append(storage) }

    /// The rows of all stores, for a person who asks for a copy of them; one store that fails ends it.
    package func rows(of person: Person) async throws(SourceFault) -> [PersonRow] {
        var rows: [PersonRow] = []
        for storage in storages { rows += try await storage.rows(of: person) }
        return rows
    }

    /// Moves a person's marks, places and playlists to a user, and the prompts of devices with the person's name.
    package func give(_ person: Person, to user: Person) async throws(SourceFault) {
        for storage in storages { try await storage.give(person, to: user) }
    }

    /// Deletes the rows in each store in turn. A store that fails leaves the rows of the later ones.
    package func forget(_ person: Person) async throws(SourceFault) {
        for storage in storages { try await storage.forget(person) }
    }
}
