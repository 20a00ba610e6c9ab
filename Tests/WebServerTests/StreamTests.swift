import BatonSeams
import Disk
import Foundation
import Glibc
import SocketPeers
import Synchronization
import Testing
import Threads
import WebClient

@testable import EventLoop
@testable import SocketServer

/// Answers that are read piece by piece (`HTTPStream`).
@Suite(.loop) struct StreamTests {
    private static let length = 1_000_003

    private static func byte(_ place: Int64) -> UInt8 { UInt8(truncatingIfNeeded: place &* 7 &+ place >> 9) }

    private static func stream(_ most: Int64 = Int64(length)) -> HTTPStream {
        HTTPStream(start: 0, length: Int64(length), blockingPool: BlockingPool()) { at, count in
            (at..<min(at + Int64(count), most)).map(byte)
        }
    }

    @Test @Loop func `what is read piece by piece arrives whole, and the connection serves on`() async throws {
        try await withHost { host, _, endpoint in
            host.pages["/p"] = { _ in HTTPResponse(status: 200, stream: Self.stream()) }
            let reply = try await Client.request(.get, "/p", of: endpoint, on: EventLoop.background(), timeout: .patient)
            #expect(reply.headers["content-length"] == "\(Self.length)")
            #expect(reply.body == (0..<Int64(Self.length)).map(Self.byte))

            let twice = try await curl(
                "-o", "/dev/null", "-o", "/dev/null", "-w", "%{size_download} %{num_connects}\n", "http://\(endpoint)/p",
                "http://\(endpoint)/p")
            #expect(twice == "\(Self.length) 1\n\(Self.length) 0\n")
            let head = try await curl("-I", "http://\(endpoint)/p")
            #expect(head.contains("content-length: \(Self.length)"))
        }
    }

    /// A stream whose first bytes are read, and whose others come out of a connection up to `end`.
    private func relayed(
        of length: Int = Self.length, until end: Int, from start: Int64 = 0, mayGoOn: @escaping @Loop () -> Bool = { true }
    ) throws -> HTTPStream {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let (near, far) = (ends[0], ends[1])
        try #require(fcntl(near, F_SETFL, O_NONBLOCK) == 0)
        var stream = Self.stream()
        stream.start = start
        stream.length = Int64(length) - start
        stream.mayGoOn = mayGoOn
        stream.connection = { at in
            let bytes = (at..<Int64(end)).map(Self.byte)
            // More than the pair holds, so another thread writes it.
            OwnThread.start {
                var sent = 0
                while sent < bytes.count,
                    case let count = bytes[sent...].withUnsafeBytes({ send(far, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }), count > 0
                {
                    sent += count
                }
                close(far)
            }
            return BodyConnection(near, early: [], length: Int64(length) - at)
        }
        return stream
    }

    @Test(arguments: [Int64(0), 12_345]) @Loop func `what a connection brings is passed on whole, and the peer is served on`(start: Int64)
        async throws
    {
        try await withHost { host, _, endpoint in
            let stream = try relayed(until: Self.length, from: start)
            host.pages["/p"] = { _ in HTTPResponse(status: 200, stream: stream) }
            host.pages["/q"] = { _ in .sentence(200, "On.") }
            let file = try temporaryPath("relayed")

            let said = try await curl("-o", file, "-w", "%{num_connects} ", "http://\(endpoint)/p", "http://\(endpoint)/q")

            #expect(said == "1 On.\n0 ")
            #expect(try Array(Data(contentsOf: URL(filePath: file))) == (start..<Int64(Self.length)).map(Self.byte))
        }
    }

    @Test @Loop func `a connection that ends too early is read on from where it ended`() async throws {
        try await withHost { host, _, endpoint in
            let stream = try relayed(until: 400_000)
            host.pages["/p"] = { _ in HTTPResponse(status: 200, stream: stream) }

            let reply = try await Client.request(.get, "/p", of: endpoint, on: EventLoop.background(), timeout: .patient)

            #expect(reply.body == (0..<Int64(Self.length)).map(Self.byte))
        }
    }

    @Test @Loop func `a relayed stream that may not go on is cut`() async throws {
        try await withHost { host, _, endpoint in
            // More than one turn of a relay may pass on, so it asks a second time.
            let length = 2 * SocketRelay.turnBytes
            var asked = 0
            let stream = try relayed(of: length, until: length) {
                asked += 1
                return asked < 2
            }
            host.pages["/p"] = { _ in HTTPResponse(status: 200, stream: stream) }

            #expect(try await curl("-o", "/dev/null", "http://\(endpoint)/p").contains("curl: ("))
        }
    }

    /// A stream from a place of a file of so many bytes.
    private static func ofFile(
        _ file: any FileRange, from start: Int64 = 0, mayGoOn: @escaping @Loop () -> Bool = { true }
    ) -> HTTPStream {
        var stream = HTTPStream(start: start, length: Int64(length) - start, blockingPool: BlockingPool(), mayGoOn: mayGoOn) { at, count in
            try? file.read(at: at, count: count)
        }
        stream.file = file
        return stream
    }

    /// Counts what is passed on and what is read.
    private final class Counted: FileRange {
        let file: any FileRange
        let canPass: Bool
        let passed = Mutex(0), read = Mutex(0)
        var stamp: FileStamp { file.stamp }
        var descriptor: Int32 { file.descriptor }

        init(bytes: Int = length, canPass: Bool = true) throws {
            let path = try temporaryPath("passed")
            try Data((0..<Int64(bytes)).map(StreamTests.byte)).write(to: URL(filePath: path))
            file = try Disk().open(plainly: path)
            self.canPass = canPass
        }

        func read(at position: Int64, count: Int) throws(SourceFault) -> [UInt8] {
            let bytes = try file.read(at: position, count: count)
            read.withLock { $0 += bytes.count }
            return bytes
        }

        func pass(at position: Int64, count: Int, into pipe: any PipeEnd) throws(SourceFault) -> Int? {
            guard canPass, let count = try file.pass(at: position, count: count, into: pipe) else { return nil }
            passed.withLock { $0 += count }
            return count
        }
    }

    @Test(arguments: [Int64(0), 12_345]) @Loop func `a file is passed on whole without being read, and the peer is served on`(start: Int64)
        async throws
    {
        try await withHost { host, _, endpoint in
            let file = try Counted()
            host.pages["/p"] = { _ in HTTPResponse(status: 200, stream: Self.ofFile(file, from: start)) }
            host.pages["/q"] = { _ in .sentence(200, "On.") }
            let came = try temporaryPath("came")

            // Slower than the pipe, so that there is no room in between.
            let said = try await curl(
                "--limit-rate", "2M", "-o", came, "-w", "%{num_connects} ", "http://\(endpoint)/p", "http://\(endpoint)/q")

            #expect(said == "1 On.\n0 ")
            #expect(try Array(Data(contentsOf: URL(filePath: came))) == (start..<Int64(Self.length)).map(Self.byte))
            #expect(file.passed.withLock { $0 } == Self.length - Int(start))
            #expect(file.read.withLock { $0 } == 0)
        }
    }

    @Test @Loop func `a file whose disk cannot pass it on is read`() async throws {
        try await withHost { host, _, endpoint in
            let file = try Counted(canPass: false)
            host.pages["/p"] = { _ in HTTPResponse(status: 200, stream: Self.ofFile(file)) }

            let reply = try await Client.request(.get, "/p", of: endpoint, on: EventLoop.background(), timeout: .patient)

            #expect(reply.body == (0..<Int64(Self.length)).map(Self.byte))
            #expect(file.read.withLock { $0 } == Self.length)
        }
    }

    @Test @Loop func `a file that has become shorter, or may not go on, ends the connection`() async throws {
        try await withHost { host, _, endpoint in
            let (short, whole) = (try Counted(bytes: 300_000), try Counted())
            host.pages["/short"] = { _ in HTTPResponse(status: 200, stream: Self.ofFile(short)) }
            host.pages["/ended"] = { _ in HTTPResponse(status: 200, stream: Self.ofFile(whole) { false }) }

            for path in ["short", "ended"] {
                #expect(try await curl("-o", "/dev/null", "http://\(endpoint)/\(path)").contains("curl: ("))
            }
            #expect(whole.passed.withLock { $0 } == 0)
        }
    }

    @Test @Loop func `what has become shorter ends the connection`() async throws {
        try await withHost { host, _, endpoint in
            host.pages["/p"] = { _ in HTTPResponse(status: 200, stream: Self.stream(200_000)) }
            let size = try? await curl("-s", "-o", "/dev/null", "-w", "%{size_download}", "http://\(endpoint)/p")
            // Bytes on their way may be lost with the connection, but the peer must see that some are missing.
            #expect((size.flatMap { Int($0) } ?? 0) <= 200_000)
        }
    }
}
