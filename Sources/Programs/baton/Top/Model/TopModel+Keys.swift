import BatonCore
import BatonProtocol

/// Actions of keys.
extension TopModel {
    static let volumeStep = 5
    private static let seekStepMs: Milliseconds = 10_000

    mutating func press(_ key: Key) -> [TopEffect] {
        notice = nil
        defer { settle() }
        if library.isTyping, view == .library, let effects = type(key) { return effects }
        guard let action = TopKey.action(of: key) else { return [] }
        if showsHelp, ![.quit, .redraw, .suspend].contains(action) {
            scrollHelp(action)
            return []
        }
        return began(act(action))
    }

    mutating func paste(_ text: String) -> [TopEffect] {
        guard view == .library, library.isTyping else { return [] }
        defer { settle() }
        library.type(text)
        return question()
    }

    /// Notes effects whose expected result is shown at once.
    mutating func began(_ effects: [TopEffect]) -> [TopEffect] {
        for kind in effects.compactMap(\.kind) { ahead.begin(kind) }
        return effects
    }

    private mutating func act(_ action: TopAction) -> [TopEffect] {
        switch action {
        case .toggle: return toggle()
        case .next: return next()
        case .previous: return [.previous(from: mirror.queue?.current)]
        case .louder: return louder(by: Self.volumeStep)
        case .quieter: return louder(by: -Self.volumeStep)
        case .mute: return mute()
        case .forward: return mirror.now.map { [.seekBy($0.entry, ms: Self.seekStepMs)] } ?? []
        case .back: return mirror.now.map { [.seekBy($0.entry, ms: -Self.seekStepMs)] } ?? []
        case .shuffle: return change { $0.shuffle.toggle() }
        case .repeat: return change { $0.repeatNext() }
        case .favourite: return favourite()
        case .show(let view): return show(view)
        case .nextView: return show(view.next(by: 1))
        case .previousView: return show(view.next(by: -1))
        case .up: return go(by: -1)
        case .down: return go(by: 1)
        case .pageUp: return go(by: -max(1, TopLayout(self).list.height - 1))
        case .pageDown: return go(by: max(1, TopLayout(self).list.height - 1))
        case .first: return go(by: -listCount)
        case .last: return go(by: listCount)
        case .choose: return choose()
        case .search: return search()
        case .leave: return leave()
        case .addAtEnd: return add(at: .end)
        case .addNext: return add(at: .next)
        case .remove: return remove()
        case .moveUp: return move(by: -1)
        case .moveDown: return move(by: 1)
        case .undo: return [.undo]
        case .help: (showsHelp, helpTop) = (true, 0)
        case .redraw: return [.redraw]
        case .suspend: return [.suspend]
        case .quit: return [.quit]
        }
        return []
    }

    // MARK: Playback

    private mutating func toggle() -> [TopEffect] {
        let wanted = !isPlaying
        ahead.isPlaying = wanted
        return [.toggle(wanted ? .playing : .paused)]
    }

    /// Skips to the next entry. It is shown as current at once if it is known.
    private mutating func next() -> [TopEffect] {
        if let at = current.flatMap({ entries.firstIndex(of: $0) }), at + 1 < entries.count, !modes.shuffle {
            ahead.current = entries[at + 1]
        }
        return [.next]
    }

    /// Changes the volume: of the selected room in the list of rooms, else of the followed one.
    private mutating func louder(by step: Int) -> [TopEffect] {
        let chosen = view == .rooms && rooms.indices.contains(place.row) ? rooms[place.row].id : mirror.room
        return level(of: chosen, to: level(of: chosen) + step)
    }

    mutating func level(of room: RoomID?, to wanted: Int) -> [TopEffect] {
        guard let room, mirror.volume != nil else { return [] }
        let range = room == mirror.room ? mirror.volume?.range ?? 0...100 : 0...100
        let level = max(range.lowerBound, min(range.upperBound, wanted))
        ahead.levels[room] = level
        return [.level(level, of: room == mirror.room ? nil : room)]
    }

    private mutating func mute() -> [TopEffect] {
        let wanted = !isMuted
        ahead.isMuted = wanted
        return [.mute(wanted)]
    }

    private mutating func change(_ edit: (inout Modes) -> Void) -> [TopEffect] {
        let before = modes
        var modes = before
        edit(&modes)
        ahead.modes = modes
        // Only what was pressed: a mode that is on once may be over by now.
        var command = Commands.ModeSet()
        if modes.repeat != before.repeat { command.repeat = modes.repeat }
        if modes.shuffle != before.shuffle { command.shuffle = modes.shuffle }
        if modes.single != before.single { command.single = modes.single }
        return [.modes(command)]
    }

    private mutating func favourite() -> [TopEffect] {
        guard let uri = mirror.now?.uri else { return [] }
        let wanted = !isFavourite
        ahead.isFavourite = wanted
        return [.favourite(uri, wanted)]
    }

    // MARK: Navigation

    /// Scrolls the help if it is longer than the screen; any other key closes it.
    mutating func scrollHelp(_ action: TopAction) {
        let page = max(1, rows - 4)
        let steps: [TopAction: Int] = [.up: -1, .down: 1, .pageUp: -page, .pageDown: page, .first: -1000, .last: 1000]
        guard let step = steps[action] else {
            showsHelp = false
            return
        }
        helpTop = max(0, min(TopDrawing(self).mostHelp, helpTop + step))
    }

    mutating func show(_ wanted: TopView) -> [TopEffect] {
        view = wanted
        showsHelp = false
        followsSong = true
        library.isTyping = false
        return wanted == .library ? question() : []
    }

    mutating func go(by step: Int) -> [TopEffect] {
        if list == .lyrics { followsSong = false }
        var moved = place
        moved.move(by: step, count: listCount)
        places[list] = moved
        guard list == .library, let more = library.more(near: moved.row) else { return [] }
        return [.ask(more)]
    }

    mutating func choose() -> [TopEffect] {
        let row = place.row
        switch list {
        case .now, .queue:
            guard entries.indices.contains(row) else { return [] }
            ahead.current = entries[row]
            return [.jump(entries[row])]
        case .library: return chooseItem(row)
        case .rooms: return rooms.indices.contains(row) && rooms[row].id != mirror.room ? [.follow(rooms[row].id)] : []
        case .lyrics:
            guard let entry = mirror.now?.entry, let lines = item?.lyrics?.lines, lines.indices.contains(row), let atMs = lines[row].atMs
            else { return [] }
            followsSong = true
            return [.seek(entry, toMs: atMs)]
        }
    }

    private mutating func chooseItem(_ at: Int) -> [TopEffect] {
        guard library.isKnown, library.rows.indices.contains(at) else { return [] }
        let row = library.rows[at]
        if row.tags.kind.isContainer {
            library.open(row, from: place)
            return question()
        }
        // A track of an album plays together with the tracks after it.
        if let whole = library.ordered { return [.play(whole, index: at)] }
        return [.play(row.variants.first ?? row.uri, index: nil)]
    }

    private mutating func leave() -> [TopEffect] {
        if view == .library, library.leave() { return question() }
        view = .now
        return []
    }

    mutating func question() -> [TopEffect] { library.question().map { [.ask($0)] } ?? [] }

    // MARK: The queue

    private func add(at place: InsertionPoint) -> [TopEffect] {
        guard list == .library, library.isKnown, library.rows.indices.contains(self.place.row) else { return [] }
        let row = library.rows[self.place.row]
        return [.add(row.variants.first ?? row.uri, at: place)]
    }

    private mutating func remove() -> [TopEffect] {
        guard list == .queue, entries.indices.contains(place.row) else { return [] }
        var rows = entries
        let gone = rows.remove(at: place.row)
        ahead.rows = rows
        return [.remove(gone)]
    }

    private mutating func move(by step: Int) -> [TopEffect] {
        let from = place.row, to = from + step
        guard list == .queue, entries.indices.contains(from), entries.indices.contains(to) else { return [] }
        var rows = entries
        let entry = rows.remove(at: from)
        rows.insert(entry, at: to)
        ahead.rows = rows
        places[.queue]?.row = to
        return [.move(entry, behind: to > 0 ? rows[to - 1] : nil)]
    }

    // MARK: Text input

    private mutating func search() -> [TopEffect] {
        view = .library
        library.isTyping = true
        return question()
    }

    /// Handles a key in the text field; `nil` for other keys.
    private mutating func type(_ key: Key) -> [TopEffect]? {
        switch key {
        case .character(let character): library.type(String(character))
        case .backspace: library.erase()
        case .control("w"): library.eraseWord()
        case .control("u"): library.text = ""
        case .enter, .down, .tab: library.isTyping = false
        case .escape:
            library.isTyping = false
            if library.trail.isEmpty { library.text = "" }
        default: return nil
        }
        return question()
    }
}

extension Modes {
    /// Off, the whole queue, this entry, and off again.
    fileprivate mutating func repeatNext() {
        (self.repeat, single) = !self.repeat ? (true, .off) : single == .on ? (false, .off) : (true, .on)
    }
}
