/// Events that one connection has not been told of, and those that it waits for.
///
/// Events that it does not wait for are kept until it does, as MPD 0.24 does. 0.23 forgets them when it tells of others.
struct IdleState: Equatable {
    private var pending: Events = []
    private var wanted: Events = []

    /// True between `idle` and its answer.
    private(set) var isIdle = false

    /// Notes changes. Returns those to tell of now; the connection is idle no more then.
    mutating func note(_ events: Events) -> Events? {
        pending.formUnion(events)
        return due()
    }

    /// Begins to wait. Returns those to tell of at once.
    mutating func begin(for events: Events) -> Events? {
        wanted = events
        isIdle = true
        return due()
    }

    /// Ends waiting at `noidle`. Returns false for a connection that does not wait, which gets no answer.
    mutating func end() -> Bool {
        defer { isIdle = false }
        return isIdle
    }

    private mutating func due() -> Events? {
        let due = pending.intersection(wanted)
        guard isIdle, !due.isEmpty else { return nil }
        pending.subtract(due)
        isIdle = false
        return due
    }
}
