import BatonClient
import BatonCore
import BatonProtocol
import PictureFormat

/// The screen of `baton top` as a value: what the hub has said, where the person is, and what was pressed and not answered yet.
///
/// Keys and answers go in, effects come out, and `TopDrawing` makes cells of it. Nothing here knows of terminals, sockets or time.
struct TopModel: Sendable {
    // What the hub says.
    var mirror = Mirror()
    var queue: QueueMirror?
    var positionMs = 0
    var behindMs: Int?
    /// What is left of the sleep timer.
    var sleepLeftMs: Int?
    var link = Link.answering
    /// What is known of the item that plays beside its tags.
    var item: CurrentItem?
    var cover: Cover?

    // What was pressed.
    var ahead = Ahead()
    var notice: Notice?

    // Where the person is.
    var view = TopView.now
    var showsHelp = false
    /// The first row of the help that is seen.
    var helpTop = 0
    var places: [TopView: ListPlace] = [:]
    /// What was chosen in the queue: it is found again by its name when rows above it come and go.
    private(set) var chosenEntry: EntryID?
    /// Edits of the queue that are answered, while the rows that show them are still on their way.
    private var editsWithoutRows = 0
    var library = LibraryModel()
    /// The words of a song move with it, until a person moves in them.
    var followsSong = true
    var columns = 80
    var rows = 24
    /// Whether a cover can be drawn at all.
    var hasPictures = true

    /// How it is with the hub.
    enum Link: Equatable, Sendable {
        case answering
        /// The connection stands, and nothing comes back.
        case silent
        case away(String)
    }

    struct CurrentItem: Equatable, Sendable {
        var uri: ItemURI
        var isFavourite: Bool
        var lyrics: Lyrics?
    }

    /// The cover of what plays, as dots or as what the terminal is sent for it.
    struct Cover: Equatable, Sendable {
        var id: String
        var area: Area
        var pixels: PixelPicture?
        var placed: PlacedPicture?
    }

    /// A sentence that stands below until the next key.
    struct Notice: Equatable, Sendable {
        var text: String
        var isTrouble = true
    }

    // MARK: What is shown

    /// The list that keys move in. Beside what plays the queue is shown, where there is room for it.
    var list: TopView { view == .now ? .queue : view }
    var place: ListPlace { places[list] ?? ListPlace() }

    var entries: [EntryID] { ahead.rows ?? queue?.ids ?? [] }
    var current: EntryID? { ahead.current ?? queue?.current ?? mirror.queue?.current }
    var rooms: [RoomsSection.Room] { mirror.rooms?.rooms ?? [] }
    var isPlaying: Bool { ahead.isPlaying ?? (mirror.timeline?.state == .playing || mirror.timeline?.state == .buffering) }
    var isMuted: Bool { ahead.isMuted ?? mirror.volume?.isMuted ?? false }
    var modes: Modes { ahead.modes ?? mirror.modes?.modes ?? Modes() }
    var isFavourite: Bool { ahead.isFavourite ?? (item?.uri == mirror.now?.uri ? item?.isFavourite : nil) ?? false }

    /// What plays, or will play when the hub has answered.
    var tags: Tags? {
        guard let ahead = ahead.current, ahead != mirror.now?.entry else { return mirror.now?.tags }
        return queue?.rows[ahead]?.tags ?? mirror.now?.tags
    }

    func level(of room: RoomID?) -> Int {
        if let room = room ?? mirror.room, let level = ahead.levels[room] { return level }
        if room == nil || room == mirror.room { return mirror.volume?.level ?? 0 }
        return rooms.first { $0.id == room }?.level ?? 0
    }

    /// The line of the lyrics that is sung now.
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

    // MARK: What the hub says

    mutating func take(_ mirror: Mirror) {
        if mirror.room != self.mirror.room {
            ahead.forget()
            queue = nil
            chosenEntry = nil
            places[.queue] = nil
        }
        self.mirror = mirror
        // What is expected has come, or another person was faster.
        if let expected = ahead.current, mirror.now?.entry == expected { ahead.current = nil }
        settle()
    }

    /// The first queue begins at what plays. In later ones the row that was chosen is found again.
    mutating func take(_ queue: QueueMirror) {
        let isFirst = self.queue == nil
        self.queue = queue
        if queue.revision == mirror.queue?.revision {
            for _ in 0..<editsWithoutRows { ahead.end(.rows) }
            editsWithoutRows = 0
        }
        let kept = chosenEntry ?? (isFirst ? queue.current : nil)
        if let kept, let at = entries.firstIndex(of: kept) { places[.queue, default: ListPlace()].row = at }
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

    /// After each change: the list is scrolled so that what is chosen is seen.
    mutating func settle() {
        let height = TopLayout(self).list.height
        var place = place
        if list == .lyrics, followsSong, let sung = sungLine { place = ListPlace(row: sung, top: sung - height / 2) }
        place.settle(count: listCount, height: height)
        places[list] = place
        if list == .queue { chosenEntry = entries.isEmpty ? chosenEntry : entries[place.row] }
    }

    // MARK: Answers

    /// An effect was carried out, or was refused with a sentence.
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
