import BatonSeams
import EventLoop
import Foundation
import Glibc
import SocketPeers
import Testing

@testable import SocketServer

@Suite(.loop) struct ListeningTests {
    @Test @Loop func `a taken port is a sentence that names it`() async throws {
        try await withHost { _, server, endpoint in
            let error = #expect(throws: SocketsError.self) { _ = try server.listen(tcp: "127.0.0.1", port: endpoint.port) }
            #expect(error?.code == .taken)
            #expect(error?.sentence == "Port \(endpoint.port) is taken by another program; stop it, or choose another port.")
            #expect(throws: SocketsError.self) { _ = try server.listen(tcp: "0.0.0.0", port: endpoint.port) }
        }
    }

    @Test @Loop func `an address that is not this machine's is a sentence`() async throws {
        try await withHost { _, server, _ in
            #expect(throws: SocketsError.self) { _ = try server.listen(tcp: "192.0.2.1", port: 0) }
            #expect(throws: SocketsError.self) { _ = try server.listen(tcp: "no such place", port: 0) }
        }
    }

    @Test @Loop func `one port serves IPv4 and IPv6`() async throws {
        try await withHost { host, server, _ in
            host.pages["/"] = { _ in .sentence(200, "Yes.") }
            let port = try server.listen(tcp: "::", port: 0)

            #expect(try await curl("http://127.0.0.1:\(port)/") == "Yes.\n")
            #expect(try await curl("http://[::1]:\(port)/") == "Yes.\n")

            #expect(host.requests.map(\.peer.channel) == [.loopback, .loopback])
            #expect(host.requests.map(\.peer.address) == ["127.0.0.1", "::1"])
        }
    }

    @Test @Loop func `a peer on the socket file is who the kernel says`() async throws {
        try await withHost { host, server, _ in
            host.pages["/"] = { _ in .sentence(200, "Yes.") }
            let path = try temporaryPath()
            try server.listen(unix: path)

            #expect(try await curl("--unix-socket", path, "http://localhost/") == "Yes.\n")
            _ = try await curl("--unix-socket", path, "-H", "Forwarded: for=1.2.3.4", "http://localhost/")

            #expect(host.requests.first?.peer.channel == .unix(uid: getuid(), gid: getgid()))
            #expect(host.requests.last?.peer.channel == .network)
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o660)
        }
    }

    @Test @Loop func `a socket file left behind is replaced, and a live one is not`() async throws {
        try await withHost { host, server, _ in
            let path = try temporaryPath()
            let dead = Server(try await EventLoop.background(), reception: host)
            try dead.listen(unix: path)
            #expect(throws: SocketsError(.taken, "Another program already listens on the socket \(path).", cause: EADDRINUSE)) {
                try server.listen(unix: path)
            }
            // A process that dies leaves the file.
            let aside = path + ".aside"
            #expect(rename(path, aside) == 0)
            await dead.close()
            #expect(rename(aside, path) == 0)

            // A child that another test is starting holds a copy of the dead socket for a moment.
            #expect(await eventually { (try? server.listen(unix: path)) != nil })

            #expect(try await curl("--unix-socket", path, "-o", "/dev/null", "-w", "%{http_code}", "http://localhost/") == "404")
            await server.close()
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test @Loop func `a file in the way is left alone`() async throws {
        try await withHost { _, server, _ in
            let path = try temporaryPath("notes.txt")
            try Data("keep me".utf8).write(to: URL(filePath: path))

            #expect(throws: SocketsError.self) { try server.listen(unix: path) }

            #expect(FileManager.default.contents(atPath: path) == Data("keep me".utf8))
        }
    }

    @Test @Loop func `several servers live side by side`() async throws {
        try await withHost { first, _, one in
            try await withHost { second, _, two in
                first.pages["/"] = { _ in .sentence(200, "First.") }
                second.pages["/"] = { _ in .sentence(200, "Second.") }

                let answer = try await curl("http://\(one)/", "http://\(two)/")

                #expect(answer == "First.\nSecond.\n")
            }
        }
    }
}
