import BatonClient
import BatonCore
import BatonProtocol
import Terminals

/// The screen of `baton top` as a value: the hub's state, the person's selections, and unanswered commands.
///
/// It takes keys and answers and returns effects; `TopDrawing` converts it to cells. It does not know terminals,
/// sockets or time.
struct TopModel: Sendable {
    // State from the hub.
    var mirror = Mirror()
    var queue: QueueMirror?
    var positionMs: Milliseconds = 0
    var behindMs: Milliseconds?
    /// The remaining time of the sleep timer.
    var sleepLeftMs: Milliseconds?
    var link = Link.answering
    /// Details of the current item beyond its tags.
    var item: CurrentItem?
    var cover: Cover?

    // Unanswered commands.
    var ahead = Ahead()
    var notice: Notice?

    // Navigation.
    var view = TopView.now
    var showsHelp = false
    /// The first visible row of the help.
    var helpTop = 0
    var places: [TopView: ListSelection] = [:]
    /// The selected entry of the queue. It is found by its id when rows before it change.
    private(set) var chosenEntry: EntryID?
    /// Number of answered queue edits whose changed rows have not arrived.
    private var editsWithoutRows = 0
    var library = LibraryModel()
    /// Lyrics scroll with the song until a person scrolls them.
    var followsSong = true
    var columns = 80
    var rows = 24
    /// Whether covers can be drawn.
    var hasPictures = true

    /// The state of the connection to the hub.
    enum Link: Equatable, Sendable {
        case answering
        /// The connection is open, but the hub does not answer.
        case silent
        case away(String)
    }

    struct CurrentItem: Equatable, Sendable {
        var uri: ItemURI
        var isFavourite: Bool
        var lyrics: Lyrics?
    }

    /// The cover of the current item, as dots or as bytes for the terminal.
    struct Cover: Equatable, Sendable {
        var id: String
        var area: Area
        var pixels: PixelPicture?
        var placed: ScreenPicture?
    }

    /// A sentence in the last row, shown until the next key.
    struct Notice: Equatable, Sendable {
        var text: String
        var isTrouble = true
    }

    // MARK: Visible content

    /// The list that keys act on. Next to the current item, this is the queue, if there is room for it.
    var list: TopView { view == .now ? .queue : view }
    var place: ListSelection { places[list] ?? ListSelection() }

    var entries: [EntryID] { ahead.rows ?? queue?.ids ?? [] }
    var current: EntryID? { ahead.current ?? queue?.current ?? mirror.queue?.current }
    var rooms: [RoomsSection.Room] { mirror.rooms?.rooms ?? [] }
    var isPlaying: Bool { ahead.isPlaying ?? (mirror.timeline?.state == .playing || mirror.timeline?.state == .buffering) }
    var isMuted: Bool { ahead.isMuted ?? mirror.volume?.isMuted ?? false }
    var modes: Modes { ahead.modes ?? mirror.modes?.modes ?? Modes() }
    var isFavourite: Bool { ahead.isFavourite ?? (item?.uri == mirror.now?.uri ? item?.isFavourite : nil) ?? false }

    /// The tags of the current item, or of the one expected after a skip.
    var tags: Tags? {
        guard let ahead = ahead.current, ahead != mirror.now?.entry else { return mirror.now?.tags }
        return queue?.rows[ahead]?.tags ?? mirror.now?.tags
    }

    func level(of room: RoomID?) -> Int {
        if let room = room ?? mirror.room, let level = ahead.levels[room] { return level }
        if room == nil || room == mirror.room { return mirror.volume?.level ?? 0 }
        return rooms.first { $0.id == room }?.level ?? 0
    }

    /// The current line of the lyrics.
    var sungLine: Int? {
        guard item?.uri == mirror.now?.uri, let lines = item?.lyrics?.lines else { return nil }
        return lines.lastIndex { $0.atMs.map { $0 <= positionMs } ?? false }
    }

    var listCount: Int {
        switch list {
        case .now, .queue: entries.count
        case .library: library.rows.count
        case .rooms: rooms.count
        case .lyrics: item?.lyrics?.lines.count ?? 0
        }
    }

    // MARK: State from the hub

    mutating func take(_ mirror: Mirror) {
        if mirror.room != self.mirror.room {
            ahead.forget()
            queue = nil
            chosenEntry = nil
            places[.queue] = nil
        }
        self.mirror = mirror
        // The expected entry has become current, or another person was faster.
        if let expected = ahead.current, mirror.now?.entry == expected { ahead.current = nil }
        settle()
    }

    /// Takes the queue. At first the current entry is selected; later the same entry stays selected.
    mutating func take(_ queue: QueueMirror) {
        let isFirst = self.queue == nil
        self.queue = queue
        if queue.revision == mirror.queue?.revision {
            for _ in 0..<editsWithoutRows { ahead.end(.rows) }
            editsWithoutRows = 0
        }
        let kept = chosenEntry ?? (isFirst ? queue.current : nil)
        if let kept, let at = entries.firstIndex(of: kept) { places[.queue, default: ListSelection()].row = at }
        settle()
    }

    mutating func take(_ list: ItemList, of question: LibraryQuestion) {
        if let place = library.take(list, of: question) { places[.library] = place }
        settle()
    }

    mutating func take(_ known: CurrentItem) {
        item = known
        followsSong = true
        settle()
    }

    mutating func tick(_ position: TopPosition) {
        (positionMs, behindMs, sleepLeftMs) = (position.ms, position.behindMs, position.sleepLeftMs)
        settle()
    }

    mutating func resize(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        settle()
    }

    /// Scrolls the list to the selection, after each change.
    mutating func settle() {
        let height = TopLayout(self).list.height
        var place = place
        if list == .lyrics, followsSong, let sung = sungLine { place = ListSelection(row: sung, top: sung - height / 2) }
        place.settle(count: listCount, height: height)
        places[list] = place
        if list == .queue { chosenEntry = entries.isEmpty ? chosenEntry : entries[place.row] }
    }

    // MARK: Answers

    /// Notes that an effect was carried out, or was refused with a sentence.
    mutating func answered(_ effect: TopEffect, _ sentence: String?) {
        if effect.kind == .rows, sentence == nil, queue?.revision != mirror.queue?.revision {
            editsWithoutRows += 1
        } else if let kind = effect.kind {
            ahead.end(kind)
        }
        if case .level(let level, let room) = effect, let room = room ?? mirror.room, sentence != nil || ahead.levels[room] == level {
            ahead.levels[room] = nil
        }
        if case .favourite(let uri, let isOn) = effect, sentence == nil, item?.uri == uri { item?.isFavourite = isOn }
        if let sentence { notice = Notice(text: sentence) }
        settle()
    }
}
