import BatonCore
import BatonSeams

/// Everything that the stores keep for one person, as a whole.
@Loop
final class PersonalRows {
    private let library: LibraryService
    private let generating: GenerationService
    private let places: PlaceService

    init(_ library: LibraryService, _ generating: GenerationService, _ places: PlaceService) {
        self.library = library
        self.generating = generating
        self.places = places
    }

    func rows(of person: Person) async throws(SourceFault) -> [PersonRow] {
        var rows: [PersonRow] = []
        if library.persons != nil { rows += try await library.lookAtPersons { keeper throws(SourceFault) in try keeper.rows(of: person) } }
        let owner = Identity.owner(of: person)
        if generating.keepsPrompts {
            rows += try await generating.asking { keeper throws(SourceFault) in try keeper.rows(of: owner) }
        }
        return rows
    }

    /// Marks, places and playlists of a person go to a user, and so do the prompts of devices that are called so.
    func give(_ person: Person, to user: Person) async throws(SourceFault) {
        if library.persons != nil {
            try await library.keepPersons { keeper throws(SourceFault) in try keeper.give(person, to: user) }
            library.changed()
            places.replace(person, by: user)
        }
        guard generating.keepsPrompts, person != .home else { return }
        let owner = Identity.owner(of: user)
        try await generating.asking { keeper throws(SourceFault) in try keeper.give(person.text, to: owner) }
    }

    func forget(_ person: Person) async throws(SourceFault) {
        if library.persons != nil {
            try await library.keepPersons { keeper throws(SourceFault) in try keeper.forget(person) }
            library.changed()
            places.replace(person, by: .home)
        }
        guard generating.keepsPrompts else { return }
        let owner = Identity.owner(of: person)
        try await generating.asking { keeper throws(SourceFault) in try keeper.forget(owner: owner) }
    }
}
