import BatonSeams
import EventLoop
import Testing

@testable import SocketServer

/// A dialect of lines for tests: answers each line with itself, and knows four words of its own.
@Loop
final class EchoDialect: LineDialect {
    private(set) var owners: [EchoOwner] = []
    var admits = true
    /// Called at each line, before it is answered.
    var onLine: (@Loop (EchoOwner) -> Void)?

    func admit(_ connection: any LineConnection) -> (any LineOwner)? {
        connection.write(Array("OK echo\n".utf8))
        guard admits else { return nil }
        let owner = EchoOwner(connection, self)
        owners.append(owner)
        return owner
    }

    func lastWords(_ end: LineEnd) -> [UInt8] {
        switch end {
        case .lineTooLong(let most): Array("ERR a line has at most \(most) bytes\n".utf8)
        case .idle: Array("ERR idle\n".utf8)
        case .tooManyConnections(let most): Array("ERR at most \(most) connections\n".utf8)
        case .closing: Array("BYE\n".utf8)
        }
    }
}

@Loop
final class EchoOwner: LineOwner {
    let connection: any LineConnection
    private unowned let dialect: EchoDialect
    private(set) var lines: [String] = []
    private(set) var closed = 0
    private(set) var writables = 0

    init(_ connection: any LineConnection, _ dialect: EchoDialect) {
        self.connection = connection
        self.dialect = dialect
    }

    func received(line: [UInt8]) {
        let text = String(decoding: line, as: UTF8.self)
        lines.append(text)
        dialect.onLine?(self)
        switch text {
        case "bytes": connection.write([UInt8](0...255))
        case "pause": connection.pause()
        case "bye":
            connection.write(Array("bye\n".utf8))
            connection.close()
        case "much": connection.write([UInt8](repeating: 65, count: 400_000))
        default: connection.write(line + [10])
        }
    }

    func lineWritable() { writables += 1 }
    func lineClosed() { closed += 1 }
}

/// Runs `body` with an echo server on a free port, and closes it.
@Loop
func withEcho(_ limits: LineLimits = LineLimits(), _ body: @Loop (EchoDialect, LineServer, UInt16) async throws -> Void) async throws {
    let dialect = EchoDialect()
    let server = LineServer(try await EventLoop.background(), for: dialect, limits: limits)
    let port = try server.listen(tcp: "127.0.0.1", port: 0)
    do {
        try await body(dialect, server, port)
    } catch {
        await server.close()
        throw error
    }
    await server.close()
    #expect(server.connectionCount == 0)
    #expect(dialect.owners.allSatisfy { $0.closed == 1 })
}
