/// The form of a piece: the order of its sections.
package enum FormKind: String, CaseIterable, Sendable {
    case song, rondo, arch, build, variations

    /// A section of a long piece; energy is 0 to 100. A shorter piece omits the sections with the highest rank first.
    struct Slot {
        var role: SectionRole
        var energy: Int
        var weight: Int
        var rank: Int

        init(_ role: SectionRole, _ energy: Int, weight: Int, rank: Int) {
            (self.role, self.energy, self.weight, self.rank) = (role, energy, weight, rank)
        }
    }

    var slots: [Slot] {
        switch self {
        case .song:
            [
                Slot(.intro, 30, weight: 2, rank: 0), Slot(.motif, 48, weight: 4, rank: 0), Slot(.chorus, 80, weight: 4, rank: 2),
                Slot(.development, 58, weight: 4, rank: 4), Slot(.chorus, 88, weight: 4, rank: 5), Slot(.bridge, 44, weight: 2, rank: 3),
                Slot(.resolution, 92, weight: 4, rank: 1), Slot(.outro, 30, weight: 2, rank: 0),
            ]
        case .rondo:
            [
                Slot(.intro, 34, weight: 2, rank: 0), Slot(.motif, 60, weight: 4, rank: 0), Slot(.development, 50, weight: 4, rank: 3),
                Slot(.motif, 66, weight: 4, rank: 4), Slot(.bridge, 42, weight: 4, rank: 2), Slot(.chorus, 82, weight: 4, rank: 5),
                Slot(.resolution, 78, weight: 4, rank: 1), Slot(.outro, 34, weight: 2, rank: 0),
            ]
        case .arch:
            [
                Slot(.intro, 24, weight: 3, rank: 0), Slot(.motif, 44, weight: 4, rank: 0), Slot(.development, 62, weight: 4, rank: 2),
                Slot(.chorus, 90, weight: 4, rank: 3), Slot(.bridge, 56, weight: 4, rank: 4), Slot(.resolution, 42, weight: 4, rank: 1),
                Slot(.outro, 22, weight: 3, rank: 0),
            ]
        case .build:
            [
                Slot(.intro, 20, weight: 3, rank: 0), Slot(.motif, 38, weight: 4, rank: 0), Slot(.development, 56, weight: 4, rank: 2),
                Slot(.bridge, 40, weight: 2, rank: 3), Slot(.chorus, 90, weight: 4, rank: 1), Slot(.resolution, 98, weight: 4, rank: 4),
                Slot(.outro, 36, weight: 2, rank: 0),
            ]
        case .variations:
            [
                Slot(.intro, 30, weight: 2, rank: 0), Slot(.motif, 46, weight: 4, rank: 0), Slot(.development, 60, weight: 4, rank: 2),
                Slot(.motif, 56, weight: 4, rank: 5), Slot(.development, 74, weight: 4, rank: 3), Slot(.bridge, 48, weight: 4, rank: 4),
                Slot(.resolution, 84, weight: 4, rank: 1), Slot(.outro, 30, weight: 2, rank: 0),
            ]
        }
    }
}

/// The role of a section in the form.
package enum SectionRole: String, CaseIterable, Sendable {
    case intro, motif, chorus, development, bridge, resolution, outro
}

/// Consecutive bars of one role.
package struct Section: Equatable, Sendable {
    package var role: SectionRole
    /// The first bar, counted from the beginning of the piece.
    package var firstBar: Int
    package var bars: Int
    /// The intensity from 0 to 100: busier sections have more.
    package var intensity: Int
    /// The index of the section among those of its role, from 0.
    package var turn: Int

    package var end: Int { firstBar + bars }
}

enum Form {
    /// Divides the bars of a piece among its sections. It takes at least four bars: one for the intro, two for the motif, one for the outro.
    static func sections(_ kind: FormKind, bars: Int, energy: Int) -> [Section] {
        let slots = fitting(kind.slots, bars)
        let lengths = lengths(of: slots, bars)
        var sections: [Section] = []
        var first = 0
        for (slot, length) in zip(slots, lengths) {
            let turn = sections.filter { $0.role == slot.role }.count
            let intensity = min(100, max(5, (slot.energy * (60 + energy) + energy * 40) / 200))
            sections.append(Section(role: slot.role, firstBar: first, bars: length, intensity: intensity, turn: turn))
            first += length
        }
        return sections
    }

    /// The sections that fit with four bars each on average; at least three.
    private static func fitting(_ slots: [FormKind.Slot], _ bars: Int) -> [FormKind.Slot] {
        let count = min(slots.count, max(3, bars / 4))
        let kept = slots.indices.sorted { (slots[$0].rank, $0) < (slots[$1].rank, $1) }.prefix(count)
        return kept.sorted().map { slots[$0] }
    }

    /// Lengths by weight, in pairs of bars where there is room. Remaining bars go to the sections between intro and outro.
    private static func lengths(of slots: [FormKind.Slot], _ bars: Int) -> [Int] {
        let weights = slots.reduce(0) { $0 + $1.weight }
        let unit = bars >= slots.count * 2 ? 2 : 1
        var lengths = slots.map { max(unit, bars * $0.weight / weights / unit * unit) }
        let inner = Array(slots.indices.dropFirst().dropLast())
        var rest = bars - lengths.reduce(0, +)
        var at = 0
        while rest > 0 {
            // An odd bar goes to the outro, so that phrases elsewhere stay in pairs.
            let grown = rest < unit ? slots.count - 1 : inner[at % inner.count]
            let more = min(unit, rest)
            lengths[grown] += more
            rest -= more
            at += 1
        }
        while rest < 0, let longest = lengths.indices.max(by: { lengths[$0] < lengths[$1] }) {
            lengths[longest] -= 1
            rest += 1
        }
        return lengths
    }
}
