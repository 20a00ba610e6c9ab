package import BatonCore
import BatonKernel
import BatonProtocol
package import BatonSeams

/// The prompts of people: their settings, earlier prompts and presets.
///
/// Prompts belong to the people who typed them. Prompts of a device with the name of a user belong to that device.
@Loop
package final class MakingPrompts: PersonRowStorage {
    private let jobs: MakingJobs

    init(_ jobs: MakingJobs) { self.jobs = jobs }

    /// Reads or changes prompts in the store, one call after the other, in order.
    func asking<Found: Sendable>(
        _ body: @escaping @Sendable (any PromptStorage) throws(SourceFault) -> Found
    ) async throws(SourceFault) -> Found {
        let storage = try jobs.opened().storage
        return try await jobs.writing.inTurn { [sources = jobs.sources] () async throws(SourceFault) in
            try await sources.inBlockingPool { () async throws(SourceFault) in try body(storage) }
        }
    }

    /// The person's settings that this worker supports.
    func settings(of owner: String, for line: PromptLine, by worker: any GenerationWorker) async throws(SourceFault)
        -> PromptSettings
    {
        let settings = try await asking { storage throws(SourceFault) in try storage.settings(of: owner) }
        let bounds = worker.about.bounds.durationS
        guard line.mode == .track, line.settings.durationS == nil, let seconds = settings.durationS, !bounds.contains(seconds) else {
            return settings
        }
        throw SourceFault(
            .badRequest,
            "Your setting is /duration \(seconds), and “\(worker.name)” makes \(bounds.lowerBound) to \(bounds.upperBound) seconds: "
                + "write /duration \(bounds.lowerBound) into the line.")
    }

    /// Adds a prompt to the person's history, without delaying the answer. When it cannot be stored, the prompt is still in
    /// its job.
    func note(_ prompt: UsedPrompt, of owner: String) {
        guard let storage = jobs.parts?.storage else { return }
        jobs.writing.add { [sources = jobs.sources] in
            _ = try? await sources.inBlockingPool { () async throws(SourceFault) in try storage.note(prompt, of: owner) }
        }
    }

    // MARK: Rows of persons

    /// True when there is a store for prompts.
    private var isOpen: Bool { (try? jobs.opened()) != nil }

    package func rows(of person: Person) async throws(SourceFault) -> [PersonRow] {
        guard isOpen else { return [] }
        let owner = Identity.owner(of: person)
        return try await asking { storage throws(SourceFault) in try storage.rows(of: owner) }
    }

    package func give(_ person: Person, to user: Person) async throws(SourceFault) {
        guard isOpen, person != .home else { return }
        let owner = Identity.owner(of: user)
        try await asking { storage throws(SourceFault) in try storage.give(person.text, to: owner) }
    }

    package func forget(_ person: Person) async throws(SourceFault) {
        guard isOpen else { return }
        let owner = Identity.owner(of: person)
        try await asking { storage throws(SourceFault) in try storage.forget(owner: owner) }
    }
}

extension Identity {
    /// The owner of prompts and jobs in the store. Guests choose their names freely, so they are told apart by their address.
    var owner: String {
        if let user { return Self.owner(of: user.user.person) }
        return share.map(Self.owner(ofGuest:)) ?? (authorName.isEmpty ? device?.text ?? "" : authorName)
    }

    /// The owner for a user. Names have no line breaks, so it differs from a device with the same name.
    static func owner(of person: Person) -> String { "user\n\(person.text)" }

    /// The owner for a guest, which is not a possible name, since names have no line breaks.
    static func owner(ofGuest share: String) -> String { "guest\n\(share)" }
}
