import BatonCore
package import BatonProtocol

/// An answer that may hold names of people, which only the roles `remote` and `admin` learn, whatever their view.
package protocol NamingPeople: ReplyContent {
    /// The same for other roles.
    var withoutNames: Self { get }
}

extension Role {
    /// Whether who has it learns names of other people.
    package var learnsNames: Bool { self >= .remote }
}

/// The list with the name of a person left out of each of its rows.
private func leavingOut<List, Row>(
    _ name: WritableKeyPath<Row, String?>, in rows: WritableKeyPath<List, [Row]>, of list: List
) -> List {
    func clear(_ rows: inout [Row]) { for at in rows.indices { rows[at][keyPath: name] = nil } }
    var list = list
    clear(&list[keyPath: rows])
    return list
}

extension QueuePage: NamingPeople {
    package var withoutNames: QueuePage { leavingOut(\.addedBy, in: \.rows, of: self) }
}

extension QueueHistoryList: NamingPeople {
    package var withoutNames: QueueHistoryList { leavingOut(\.author, in: \.rows, of: self) }
}

extension PlayedList: NamingPeople {
    package var withoutNames: PlayedList { leavingOut(\.askedBy, in: \.rows, of: self) }
}

extension JobRows: NamingPeople {
    package var withoutNames: JobRows { leavingOut(\.author, in: \.rows, of: self) }
}

extension ClipSessions: NamingPeople {
    package var withoutNames: ClipSessions { leavingOut(\.author, in: \.rows, of: self) }
}

extension BookmarkList: NamingPeople {
    package var withoutNames: BookmarkList { leavingOut(\.author, in: \.rows, of: self) }
}

extension PlaylistList: NamingPeople {
    package var withoutNames: PlaylistList { leavingOut(\.owner, in: \.rows, of: self) }
}

extension PlaylistContents: NamingPeople {
    package var withoutNames: PlaylistContents {
        var contents = self
        contents.list.owner = nil
        return contents
    }
}

extension QueueOps {
    /// The steps of a queue for those who learn no names.
    package var withoutNames: QueueOps { leavingOut(\.addedBy, in: \.rows, of: self) }
}

extension SectionValue {
    /// The section for those who learn no names. The lists of people have forms of their own; see `SectionSet.withoutNames`.
    package var withoutNames: SectionValue {
        switch self {
        case .jobs(let jobs): return .jobs(leavingOut(\.author, in: \.rows, of: jobs))
        case .endless(var endless):
            endless.author = nil
            return .endless(endless)
        case .watchJob(var job):
            job.author = nil
            return .watchJob(job)
        default: return self
        }
    }
}
