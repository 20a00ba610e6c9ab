public import BatonCore

/// Conversions between parameters of a command and values of the core.
extension Commands.Play {
    /// Plays another item.
    public init(_ uri: ItemURI, index: Int? = nil, positionMs: Milliseconds? = nil) {
        self.init(uri: uri, index: index, positionMs: positionMs)
    }
}

extension Commands.ModeSet {
    /// The change that the command requests.
    package var change: ModeChange {
        ModeChange(
            repeat: `repeat`, shuffle: shuffle, single: single, consume: consume, speed: speed, gain: gain, preampDb: preampDb,
            unfinished: unfinished.flatMap { Unfinished($0, filler: filler) }, forwardMs: forwardMs, backMs: backMs, isMono: mono)
    }
}

extension Commands.SleepSet {
    /// The command for a wish; the amount becomes milliseconds or a count, as the end requires.
    public init(_ wish: SleepWish) {
        let count = wish.end == .track || wish.end == .chapter ? wish.amount : nil
        self.init(wish.end, ms: wish.end == .time ? Milliseconds(wish.amount) : nil, count: count, fadeMs: wish.fadeMs)
    }

    /// The wish that the command requests; a count that is left out is 1.
    package var wish: SleepWish { SleepWish(end, amount: ms.map { Int($0) } ?? count ?? 1, fadeMs: fadeMs) }
}

extension Commands.MarkEdit {
    /// The edit, in which a member that is `nil` leaves the bookmark unchanged.
    package var edit: BookmarkEdit { BookmarkEdit(note: note, positionMs: positionMs, restores: restores) }
}

extension Commands.KeepSet {
    public init(_ wish: KeepWish, _ isOn: Bool) { self.init(uri: wish.uri, rule: wish.rule, count: wish.count, isOn: isOn) }

    package var wish: KeepWish { KeepWish(uri: uri, rule: rule, count: count) }
}
