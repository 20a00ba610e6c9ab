/// One connection to the file of a store, which reports failures as sentences. Values from outside are always bound, never written into SQL.
///
/// A store whose connection holds more than that, such as a vocabulary, has a `StoreConnection` of its own.
package import BatonSeams

package final class StoreDatabase: StoreConnection {
    package let database: Database
    package let path: String

    private init(_ database: Database, at path: String) {
        self.database = database
        self.path = path
    }

    /// Opens the only connection to `path`, which writes; a damaged file is replaced by a new one. `notices` are messages for people, and
    /// `loss` says in them what is gone with a damaged file. Blocks on the disk.
    package static func open(
        _ path: String, schema: Schema, logMiB: Int, cacheKB: Int, loss: String
    ) throws(SourceFault) -> (connection: LockedConnection<StoreDatabase>, notices: [String]) {
        var notices: [String] = []
        let settings = DatabaseOpening.settings(logMiB: logMiB, cacheKB: cacheKB)
        let database = try DatabaseOpening(path: path, schema: schema, settings: settings, loss: loss).openForStore(&notices)
        return (LockedConnection(StoreDatabase(database, at: path)), notices)
    }
}
