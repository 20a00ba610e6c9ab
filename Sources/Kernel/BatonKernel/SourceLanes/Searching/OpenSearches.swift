import BatonCore
import BatonProtocol
package import BatonSeams

/// A search whose first page was answered before all sources were. It collects the other answers, and stores the rows that
/// were shown, so that later rows can join them.
@Loop
package final class OpenSearch {
    let number: Int
    let search: Commands.Search
    /// The connection of the search.
    let caller: Int?
    /// Rows of the first page that are not in `folded` yet, so that the first answer is not delayed.
    private var unfolded: [(row: ItemRow, origin: FoldedRows.Origin)] = []
    private var folded: FoldedRows
    /// The results, by source.
    private(set) var answers: [String: Result<FoundPage, SourceFault>] = [:]
    private var collecting: Task<Void, Never>?

    fileprivate init(number: Int, search: Commands.Search, caller: Int?, splits: FoldSplits) {
        self.number = number
        self.search = search
        self.caller = caller
        folded = FoldedRows(splits: splits)
    }

    /// Waits for these answers, until each has come or has timed out.
    func collect(_ asked: [(source: String, answer: @Loop () async -> Result<FoundPage, SourceFault>)]) {
        collecting = Task(executorPreference: Loop.jobs) { [weak self] in
            for (source, answer) in asked {
                let result = await answer()
                await self?.store(result, of: source)
            }
        }
    }

    private func store(_ answer: Result<FoundPage, SourceFault>, of source: String) { answers[source] = answer }

    func untilAnswered() async { await collecting?.value }

    func cancel() { collecting?.cancel() }

    func show(_ rows: [ItemRow], _ origin: (ItemRow) -> FoldedRows.Origin) {
        guard !search.isUnfolded else { return }
        unfolded = rows.map { ($0, origin($0)) }
    }

    /// Calls `body` with the rows that were shown, to which it adds its own.
    func fold<Answer>(_ body: (inout FoldedRows) -> Answer) -> Answer {
        for (row, origin) in unfolded { _ = folded.add(row, from: origin) }
        unfolded = []
        return body(&folded)
    }
}

/// The searches whose next pages need more state than their cursor. Their number is limited for each connection and in all,
/// and so is their age. A search that was dropped asks its sources again, and its rows do not join earlier ones.
@Loop
package final class OpenSearches {
    static let mostOfOne = 4
    static let most = 64
    private static let lifeUs: Microseconds = 300_000_000
    private static let mostNumber = 1_000_000

    private var searches: [(search: OpenSearch, untilUs: Microseconds)] = []
    private var nextNumber = 1
    private let reactor: any Reactor

    init(_ reactor: any Reactor) { self.reactor = reactor }

    var count: Int { searches.count }

    func open(_ search: Commands.Search, by caller: Int?, _ splits: FoldSplits) -> OpenSearch {
        forget { $0.untilUs <= reactor.nowUs }
        let own = searches.filter { $0.search.caller == caller }
        let surplus = own.count >= Self.mostOfOne ? own.first : searches.count >= Self.most ? searches.first : nil
        if let surplus { forget { $0.search === surplus.search } }
        let open = OpenSearch(number: nextNumber, search: search, caller: caller, splits: splits)
        nextNumber = nextNumber % Self.mostNumber + 1
        searches.append((open, reactor.nowUs + Self.lifeUs))
        return open
    }

    /// The search of this number, only for the same connection and the same words.
    func find(_ number: Int?, _ search: Commands.Search, by caller: Int?) -> OpenSearch? {
        guard let number, let found = searches.first(where: { $0.search.number == number })?.search else { return nil }
        let same = found.search.text == search.text && found.search.kinds == search.kinds && found.search.isUnfolded == search.isUnfolded
        return same && found.caller == caller ? found : nil
    }

    /// Drops the searches of a closed connection.
    package func leave(_ caller: Int) { forget { $0.search.caller == caller } }

    func close() { forget { _ in true } }

    private func forget(_ isOver: ((search: OpenSearch, untilUs: Microseconds)) -> Bool) {
        guard !searches.isEmpty else { return }
        for one in searches where isOver(one) { one.search.cancel() }
        searches.removeAll(where: isOver)
    }
}
