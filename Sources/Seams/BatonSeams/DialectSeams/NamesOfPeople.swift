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

extension QueuePage: NamingPeople {
    package var withoutNames: QueuePage {
        var page = self
        for at in page.rows.indices { page.rows[at].addedBy = nil }
        return page
    }
}

extension QueueHistoryList: NamingPeople {
    package var withoutNames: QueueHistoryList {
        var list = self
        for at in list.rows.indices { list.rows[at].author = nil }
        return list
    }
}

extension PlayedList: NamingPeople {
    package var withoutNames: PlayedList {
        var list = self
        for at in list.rows.indices { list.rows[at].askedBy = nil }
        return list
    }
}

extension JobRows: NamingPeople {
    package var withoutNames: JobRows {
        var list = self
        for at in list.rows.indices { list.rows[at].author = nil }
        return list
    }
}

extension ClipSessions: NamingPeople {
    package var withoutNames: ClipSessions {
        var list = self
        for at in list.rows.indices { list.rows[at].author = nil }
        return list
    }
}

extension BookmarkList: NamingPeople {
    package var withoutNames: BookmarkList {
        var list = self
        for at in list.rows.indices { list.rows[at].author = nil }
        return list
    }
}

extension PlaylistList: NamingPeople {
    package var withoutNames: PlaylistList {
        var list = self
        for at in list.rows.indices { list.rows[at].owner = nil }
        return list
    }
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
    package var withoutNames: QueueOps {
        var ops = self
        for at in ops.rows.indices { ops.rows[at].addedBy = nil }
        return ops
    }
}

extension SectionValue {
    /// The section for those who learn no names. The lists of people have forms of their own; see `SectionSet.withoutNames`.
    package var withoutNames: SectionValue {
        switch self {
        case .jobs(var jobs):
            for at in jobs.rows.indices { jobs.rows[at].author = nil }
            return .jobs(jobs)
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
