/// Connections: functions of ours in SQL, schema steps, and transactions that end.
import Foundation
import Harness
import SQLite
import Testing

struct DatabaseTests {
    private func withDatabase(_ body: (Database) throws -> Void) throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let database = try Database(folder + "/a.db")
            defer { database.close() }
            try body(database)
        }
    }

    @Test func `SQL calls a function of ours, whose closure is released with the connection`() throws {
        final class Held: Sendable {}
        weak var held: Held?
        try withDatabase { database in
            let kept = Held()
            held = kept
            try database.define(function: "twice") { text in withExtendedLifetime(kept) { text + text } }

            #expect(try database.first("SELECT twice('añ')") { $0.text(0) } == "añañ")
            #expect(try database.first("SELECT twice(NULL)") { $0.isNull(0) } == true)
            #expect(held != nil)
        }
        #expect(held == nil)
    }

    @Test func `text with a zero in it comes back whole`() throws {
        try withDatabase { database in
            try database.execute("CREATE TABLE t (a TEXT)")
            try database.run("INSERT INTO t VALUES (?)", [.text("a\0b")])

            #expect(try database.first("SELECT a FROM t") { $0.text(0) } == "a\0b")
        }
    }

    @Test func `a migration that fails in a step keeps the steps before it, and the next one goes on from there`() throws {
        try withDatabase { database in
            let first = Schema.Step(before: "CREATE TABLE one (a); INSERT INTO one VALUES (1);")
            let broken = Schema.Step(before: "CREATE TABLE two (a); INSERT INTO nowhere VALUES (1);")

            #expect(throws: DatabaseError.self) { try Schema(steps: [first, broken]).migrate(database) }

            #expect(try database.first("PRAGMA user_version") { $0.int(0) } == 1)
            let mended = Schema.Step(before: "CREATE TABLE two (a);", after: "INSERT INTO two SELECT a FROM one;")
            try Schema(steps: [first, mended]).migrate(database)
            #expect(try database.first("SELECT count(*) FROM two") { $0.int(0) } == 1)
        }
    }

    @Test func `a transaction whose body throws leaves nothing, and the next one begins`() throws {
        try withDatabase { database in
            try database.execute("CREATE TABLE t (a)")

            #expect(throws: DatabaseError.self) {
                try database.transaction { () throws(DatabaseError) in
                    try database.run("INSERT INTO t VALUES (1)")
                    throw DatabaseError.mismatch("refused")
                }
            }
            let changed = try database.transaction { () throws(DatabaseError) in try database.run("INSERT INTO t VALUES (2)") }

            #expect(changed == 1)
            #expect(try database.first("SELECT group_concat(a) FROM t") { $0.text(0) } == "2")
        }
    }

    @Test func `a connection that was closed refuses a statement with an error`() throws {
        try withDatabase { database in
            database.close()

            #expect(throws: DatabaseError.self) { try database.run("SELECT 1") }
        }
    }
}
