/// Bodies whose connection leaves libcurl in the middle of them.
import BatonSeams
import Foundation
import Glibc
import Testing

@testable import HTTPClient

@Suite struct BodyConnectionTests {
    private let client: HTTPClient
    private let servers: Servers
    private static let content = (0..<16_000).flatMap { _ in (0..<251).map { UInt8($0) } }

    init() throws {
        servers = try Servers()
        var options = HTTPClient.Options()
        options.certificates = servers.certificate
        client = HTTPClient(options)
    }

    private func answer(_ url: String) async throws -> HTTPAnswer {
        try await client.call(HTTPCall(.get, url, limits: .stream, policy: .anywhere))
    }

    /// All that comes before the end of the connection.
    private func read(_ connection: BodyConnection) -> [UInt8] {
        var bytes = connection.early
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while Int64(bytes.count) < Int64(connection.early.count) + connection.length {
            var waiting = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&waiting, 1, 10_000)
            let count = Glibc.read(connection.descriptor, &buffer, min(buffer.count, Int(connection.length)))
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
        return bytes
    }

    @Test(arguments: [0, 1, 3, 12]) func `what was not read of a body comes out of its connection`(pieces: Int) async throws {
        // The second call uses the connection of the first, which was opened for another transfer.
        _ = try await answer(servers.url("/hello")).whole()
        let body = try await answer(servers.url("/large")).body
        var bytes: [UInt8] = []
        for _ in 0..<pieces { bytes += try #require(try await body.next()) }

        let connection = try #require(await body.connection())

        #expect(Int64(bytes.count + connection.early.count) + connection.length == Int64(Self.content.count))
        bytes += read(connection)
        #expect(bytes == Self.content)
        #expect(client.activity.calls == 0)
        #expect(try await servers.seen().connections == 2, "A connection that left was used again, or one was not.")
    }

    @Test func `a body that is encrypted or in chunks, or has a limit, is read as usual`() async throws {
        for url in [servers.secure("/large"), servers.url("/large?chunked")] {
            let body = try await answer(url).body
            #expect(await body.connection() == nil)
            #expect(try await body.next()?.isEmpty == false)
        }
        let limited = try await client.call(HTTPCall(.get, servers.url("/large"), policy: .anywhere))
        #expect(await limited.body.connection() == nil)
        #expect(try await limited.whole() == Self.content)
    }

    @Test func `a body that has come already has no connection`() async throws {
        let answer = try await answer(servers.url("/hello"))
        #expect(await answer.body.connection() == nil)
        #expect(try await answer.whole() == Array("hello".utf8))
    }

    @Test func `a file is read on after its connection was taken`() async throws {
        let file = try await client.open(HTTPCall(.get, servers.url("/file"), limits: .stream, policy: .anywhere))
        let first = try await file.read(at: 0, count: .max)
        _ = await file.connection(at: Int64(first.count))

        #expect(first.count < 300_000)
        #expect(try await file.read(at: 299_999, count: 10).count == 1)
        #expect(try await file.read(at: Int64(first.count), count: 1) == [UInt8(first.count * 7 % 251)])
    }
}
