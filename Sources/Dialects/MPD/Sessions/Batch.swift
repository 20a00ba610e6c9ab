import BatonSeams

/// The commands of one line, or of a list, on their way. It is a class, so that a step is made in its place.
@Loop
final class Batch {
    let lines: CommandLines
    let isList: Bool
    /// True when each command is to be answered by `list_OK`.
    let showsOK: Bool
    /// The place of the command that is carried out.
    var place = 0
    /// Number of commands that are carried out together with it.
    var width = 1
    /// True once it was counted against the rate of the connection. A list counts once.
    var isCounted = false
    /// The name of the command; empty before it is found.
    var command = ""

    init(lines: CommandLines, isList: Bool = false, showsOK: Bool = false) {
        self.lines = lines
        self.isList = isList
        self.showsOK = showsOK
    }

    var isDone: Bool { place >= lines.count }
    var isLast: Bool { place + width >= lines.count }
}

/// How far a command has come.
enum Progress {
    case done
    /// It waits, and goes on by itself.
    case later
    /// Nothing follows it: it failed, waits for events, or the connection ends.
    case ended
}
