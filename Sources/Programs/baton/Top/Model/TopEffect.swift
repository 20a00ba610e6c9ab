import BatonCore
import BatonProtocol

/// What the shell around the model has to do for a key. Each names what the person saw, so that it does the same whenever it arrives.
enum TopEffect: Equatable, Sendable {
    case toggle(Commands.Toggle.Want)
    case next
    case previous(from: EntryID?)
    case seek(EntryID, toMs: Int)
    case seekBy(EntryID, ms: Int)
    /// Of the room that is followed, or of another.
    case level(Int, of: RoomID?)
    case mute(Bool)
    case modes(Repeat, shuffle: Bool)
    case jump(EntryID)
    case remove(EntryID)
    case move(EntryID, behind: EntryID?)
    case undo
    case play(ItemURI, index: Int?)
    case add(ItemURI, at: Place)
    case favourite(ItemURI, Bool)
    case follow(RoomID)
    case ask(LibraryQuestion)
    case redraw, suspend, quit

    /// What of the screen is drawn ahead of the answer.
    var kind: Ahead.Kind? {
        switch self {
        case .toggle: .playing
        case .next, .jump: .current
        case .mute: .mute
        case .modes: .modes
        case .remove, .move: .rows
        case .favourite: .favourite
        default: nil
        }
    }
}

/// What the list of the library shows.
struct LibraryQuestion: Equatable, Sendable {
    enum What: Equatable, Sendable {
        case shelves
        case node(ItemURI)
        case search(String)
    }

    var what: What
    /// Where the rows go on that are shown already; `nil` for the first ones.
    var cursor: String?
}
