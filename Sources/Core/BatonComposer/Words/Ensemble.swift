/// The instruments of a piece: those that a prompt names, completed by those of the style.
struct Ensemble {
    private(set) var programs: [Int?]

    init(_ words: PromptWords, habits: Style.Habits, energy: Int, random: inout TopicRandom) {
        programs = random.pick(habits.parts)
        let named = words.meanings.compactMap { meaning -> (program: Int, roles: [PartRole])? in
            if case .instrument(let program, let roles) = meaning { (program, roles) } else { nil }
        }
        let taken = assign(named)
        let kit = words.meanings.compactMap { if case .kit(let kit) = $0 { kit } else { nil } }.last
        if let kit { if self[.drums] == nil || kit != 0 { self[.drums] = kit } }
        // The calmest pieces have no drums unless the prompt names them.
        if kit == nil, energy < 20 { self[.drums] = nil }
        if words.meanings.contains(.solo), !named.isEmpty {
            for role in PartRole.allCases where !taken.contains(role) && role != .lead && role != .chords { self[role] = nil }
            if kit != nil { self[.drums] = kit }
            // A single instrument without chords is accompanied by a piano, because this composer writes no unaccompanied line.
            if !taken.contains(.lead) { self[.lead] = self[.chords] ?? 0 }
            if !taken.contains(.chords) { self[.chords] = 0 }
        }
        for meaning in words.refused { refuse(meaning) }
        if self[.chords] == nil { self[.chords] = 0 }
        if self[.lead] == nil { self[.lead] = self[.chords] }
    }

    /// Gives each named instrument the first of its roles that is free. A single one takes both melody and chords, if it can play both.
    private mutating func assign(_ named: [(program: Int, roles: [PartRole])]) -> Set<PartRole> {
        var taken: Set<PartRole> = []
        let melodic = Set(named.filter { $0.roles != [.bass] }.map(\.program))
        for (program, roles) in named {
            let wanted =
                melodic.count == 1 && roles != [.bass]
                ? roles.filter { $0 != .second } : Array(roles.filter { !taken.contains($0) }.prefix(1))
            for role in wanted {
                self[role] = program
                taken.insert(role)
            }
        }
        return taken
    }

    private mutating func refuse(_ meaning: Meaning) {
        switch meaning {
        case .kit: self[.drums] = nil
        case .instrument(_, [.bass]): self[.bass] = nil
        case .instrument(let program, let roles):
            for role in PartRole.allCases where self[role] == program { self[role] = nil }
            if let first = roles.first, first != .chords, first != .lead { self[first] = nil }
        default: break
        }
    }

    private subscript(role: PartRole) -> Int? {
        get { programs[role.rawValue] }
        set { programs[role.rawValue] = newValue }
    }
}
