/// The commands of a list that become one command of the hub, so that the queue's history has one edit and one undo for them.
///
/// Clients fill a queue by a list of many `add`. Whether each of them can be carried out is found out before, so that the answer is that of single
/// commands.
enum ListPlan: Equatable {
    /// So many `add` without a position.
    case add([String])
    /// `clear`, some `add`, and `play` with the place of a song or without one.
    case replace([String], start: Int, length: Int)
    /// So many `deleteid`.
    case delete([String])

    /// Number of commands that it stands for.
    var length: Int {
        switch self {
        case .add(let uris): uris.count
        case .replace(_, _, let length): length
        case .delete(let ids): ids.count
        }
    }

    /// Commands of one plan. Those of a longer list are several edits, so that none holds up other connections.
    static let most = 1_000

    /// The plan for the lines from this command on; `nil` where it stands for itself.
    init?(beginningWith command: String, _ lines: some RandomAccessCollection<[UInt8]>) {
        switch command {
        case "add":
            let uris = Self.arguments(of: "add", in: lines)
            guard uris.count > 1 else { return nil }
            self = .add(uris)
        case "deleteid":
            let ids = Self.arguments(of: "deleteid", in: lines)
            guard ids.count > 1 else { return nil }
            self = .delete(ids)
        case "clear":
            guard lines.first.flatMap(Self.words)?.arguments.isEmpty == true else { return nil }
            let uris = Self.arguments(of: "add", in: lines.dropFirst())
            let rest = lines.dropFirst(1 + uris.count)
            guard !uris.isEmpty, let last = rest.first.flatMap(Self.words), last.command == "play", last.arguments.count <= 1 else {
                return nil
            }
            var start = 0
            if let argument = last.arguments.first {
                // Only a place that is certain to exist needs no look at the queue.
                guard let number = LeadingNumber(argument), number.rest.isEmpty, 0..<uris.count ~= number.value else { return nil }
                start = number.value
            }
            self = .replace(uris, start: start, length: uris.count + 2)
        default: return nil
        }
    }

    /// The single arguments of this command, as often as it stands at the beginning.
    private static func arguments(of command: String, in lines: some Sequence<[UInt8]>) -> [String] {
        var found: [String] = []
        for line in lines {
            if found.count == most { break }
            guard let words = words(line), words.command == command, words.arguments.count == 1 else { break }
            found.append(words.arguments[0])
        }
        return found
    }

    private static func words(_ line: [UInt8]) -> LineWords? { try? LineWords(line) }
}
