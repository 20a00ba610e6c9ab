import BatonClient
import BatonCore
import BatonProtocol

/// Lists that the hub had to cut in its state, read to their end.
extension ReconnectingHub {
    /// A list of the state that the hub cuts where it is long.
    enum StateList { case rooms, outputs, people, listeners }

    /// The state with these lists whole. One that this role may not read stays cut.
    func state(withWhole lists: StateList...) async throws -> Mirror {
        var mirror = try await state()
        for list in lists {
            do { try await complete(list, in: &mirror) } catch let error as WireError where error.known == .forbidden { continue }
        }
        return mirror
    }

    private func complete(_ list: StateList, in mirror: inout Mirror) async throws {
        switch list {
        case .rooms: if mirror.rooms?.more ?? 0 > 0 { mirror.take(RoomsSection(try await allRooms())) }
        case .outputs: if mirror.outputs?.more ?? 0 > 0 { mirror.take(OutputsSection(try await allOutputs())) }
        case .people:
            if case .list(_, let more) = mirror.people, more > 0 { mirror.take(PeopleSection.list(try await allPeople(), more: 0)) }
        case .listeners:
            guard var listeners = mirror.listeners, listeners.more > 0 else { return }
            listeners.listeners = try await allListeners(in: mirror.room)
            listeners.more = 0
            mirror.take(listeners)
        }
    }

    /// The state with all problems.
    func stateWithAllProblems() async throws -> Mirror {
        var mirror = try await state()
        guard var hub = mirror.hub, hub.more > 0 else { return mirror }
        hub.problems = try await all { from in
            let info = try await self.ask(Commands.Info(from: from))
            return (info.problems, info.more ?? 0)
        }
        hub.more = 0
        mirror.take(hub)
        return mirror
    }

    /// Refuses where the hub lacks the profile of a command, for verbs that show what the state holds.
    func needs(_ command: CommandKind) async throws {
        guard try await features().has(command) else { throw MissingProfile(command: command) }
    }

    private func allRooms() async throws -> [RoomsSection.Room] {
        try await all { from in
            let page = try await self.ask(Commands.RoomList(from: from))
            return (page.rooms, page.more)
        }
    }

    private func allOutputs() async throws -> [OutputsSection.Output] {
        try await all { from in
            let page = try await self.ask(Commands.OutputList(from: from))
            return (page.outputs, page.more)
        }
    }

    private func allPeople() async throws -> [PeopleSection.Person] {
        try await all { from in
            guard case .hub(.list(let people, let more)) = try await self.ask(Commands.PeopleList(from: from)) else { return ([], 0) }
            return (people, more)
        }
    }

    private func allListeners(in room: RoomID?) async throws -> [ListenersSection.Listener] {
        try await all { from in
            let question = Commands.PeopleList(from: from, which: .room)
            guard case .room(let page) = try await self.ask(question, room: room) else { return ([], 0) }
            return (page.listeners, page.more)
        }
    }

    /// All rows of a list that comes in pages; `more` is the number of those behind a page.
    private func all<Row: Equatable & Sendable>(
        _ page: @Sendable (_ from: Int) async throws -> (rows: [Row], more: Int)
    ) async throws -> [Row] {
        var list = GrowingList<Row>()
        while list.isCut {
            let next = try await page(list.rows.count)
            list.take(next.rows, more: next.more)
        }
        return list.rows
    }
}

/// A list that is read page by page, also from a hub that always says there is more.
struct GrowingList<Row: Equatable> {
    /// More rows than that are read from no hub.
    static var mostRows: Int { 10_000 }

    private(set) var rows: [Row] = []
    /// True while another page is to be read.
    private(set) var isCut = true

    /// Adds the next page, and whether there is `more` behind it. A page that repeats the last rows brings nothing, and ends the list.
    mutating func take(_ page: [Row], more: Int) {
        guard !page.isEmpty, rows.suffix(page.count) != page[...] else { return isCut = false }
        rows += page
        isCut = more > 0 && rows.count < Self.mostRows
    }
}
