public import BatonCore

/// The sections that a client gets without asking for others, their form and their pace.
public enum StateView: String, Sendable, CaseIterable {
    /// `watch` is for small devices, `remote` for usual remotes, and `full` for screens that also show outputs and people by name.
    case watch, remote, full

    /// The default sections.
    package var sections: SectionSet {
        switch self {
        case .watch:
            [.watchItem, .watchLine, .watchVolume, .watchModes, .watchRoom, .watchBook, .watchProblem, .watchJob, .watchSleep]
        case .remote:
            [
                .now, .timeline, .volume, .modes, .queue, .book, .radio, .sleep, .peopleCount, .rooms, .library, .playlists, .sources,
                .keeping, .jobs, .endless,
            ]
        case .full:
            [
                .now, .timeline, .volume, .modes, .queue, .book, .radio, .sleep, .rooms, .outputs, .people, .jobs,
                .library, .playlists, .sources, .keeping, .hub, .endless, .listeners,
            ]
        }
    }

    /// The requested sections in the form of this view: only `full` gets people by name.
    package func shape(of sections: SectionSet) -> SectionSet {
        guard self != .full, sections.contains(.people) else { return sections }
        return sections.subtracting([.people]).union([.peopleCount])
    }

    /// The pace of a client that requests none: a watch gets fewer states, because each one costs battery.
    package var pace: Pace {
        switch self {
        case .watch: Pace(minMs: 250, maxMs: 30_000)
        case .remote: Pace(minMs: 50, maxMs: 20_000)
        case .full: Pace(minMs: 20, maxMs: 20_000)
        }
    }

    /// Whether the changes of a command are sent inside its reply.
    package var repliesInline: Bool { self == .watch }
}

/// Limits for the time between two states: at least `minMs` after a change, and at most `maxMs` without one.
public struct Pace: Equatable, Sendable {
    /// Shortest time between two states, so that many changes are sent as one.
    public var minMs: Milliseconds
    /// Longest time without a state; a client that hears nothing for longer knows that its connection is broken.
    public var maxMs: Milliseconds

    package init(minMs: Milliseconds, maxMs: Milliseconds) {
        self.minMs = minMs
        self.maxMs = maxMs
    }
}
