import BatonCore
import BatonProtocol

/// An action that a key causes outside the model. Each names the entry that the person saw, so that its effect does
/// not depend on its time of arrival.
enum TopEffect: Equatable, Sendable {
    case toggle(Commands.Toggle.Want)
    case next
    case previous(from: EntryID?)
    case seek(EntryID, toMs: Milliseconds)
    case seekBy(EntryID, ms: Milliseconds)
    /// The level of the followed room, or of another one.
    case level(Int, of: RoomID?)
    case mute(Bool)
    case modes(Commands.ModeSet)
    case jump(EntryID)
    case remove(EntryID)
    case move(EntryID, behind: EntryID?)
    case undo
    case play(ItemURI, index: Int?)
    case add(ItemURI, at: InsertionPoint)
    case favourite(ItemURI, Bool)
    case follow(RoomID)
    case ask(LibraryQuestion)
    case redraw, suspend, quit

    /// The kind of expectation that is shown before the reply.
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

/// A query for the library's list.
struct LibraryQuestion: Equatable, Sendable {
    enum What: Equatable, Sendable {
        case shelves
        case node(ItemURI)
        case search(String)
    }

    var what: What
    /// The cursor to continue the list; `nil` for the first page.
    var cursor: String?
}
