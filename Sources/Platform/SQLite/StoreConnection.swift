package import BatonSeams

/// A connection of a store behind the sources, which reports failures as sentences.
package protocol StoreConnection: AnyObject {
    var database: Database { get }
    var path: String { get }
}

extension StoreConnection {
    // MARK: - Statements

    @discardableResult
    package func run(_ sql: String, _ values: [Database.Value] = []) throws(SourceFault) -> Int {
        do { return try database.run(sql, values) } catch { throw error.sourceFault(at: path) }
    }

    package func execute(_ script: String) throws(SourceFault) {
        do { try database.execute(script) } catch { throw error.sourceFault(at: path) }
    }

    package func first<Result>(_ sql: String, _ values: [Database.Value] = [], as read: (Row) -> Result) throws(SourceFault) -> Result? {
        do { return try database.first(sql, values, as: read) } catch { throw error.sourceFault(at: path) }
    }

    package func all<Result>(_ sql: String, _ values: [Database.Value] = [], as read: (Row) -> Result) throws(SourceFault) -> [Result] {
        var results: [Result] = []
        do { try database.each(sql, values) { results.append(read($0)) } } catch { throw error.sourceFault(at: path) }
        return results
    }

    package func each(_ sql: String, _ values: [Database.Value] = [], do body: (Row) -> Void) throws(SourceFault) {
        do { try database.each(sql, values, do: body) } catch { throw error.sourceFault(at: path) }
    }

    // MARK: - Transactions

    /// Runs several queries on one snapshot of the file.
    package func look<Result>(_ body: () throws(SourceFault) -> Result) throws(SourceFault) -> Result {
        database.rollBack()
        try run("BEGIN")
        defer { database.rollBack() }
        return try body()
    }

    /// Applies all of `body` or nothing of it.
    package func change<Result>(_ body: () throws(SourceFault) -> Result) throws(SourceFault) -> Result {
        database.rollBack()
        do {
            try run("BEGIN IMMEDIATE")
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            database.rollBack()
            throw error
        }
    }
}
