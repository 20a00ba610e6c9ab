import Foundation
import Glibc
import Harness

/// Runs something that blocks on a thread of its own.
package func blocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { answer in
        Foundation.Thread { answer.resume(with: Swift.Result { try body() }) }.start()
    }
}

/// Runs a program to its end and returns what it printed.
package func output(of program: String, _ arguments: [String]) async throws -> String {
    try await blocking {
        let said = try temporaryPath("said")
        try Child(program, arguments, out: said, err: said).waitUntilExit()
        return String(decoding: try Data(contentsOf: URL(filePath: said)), as: UTF8.self)
    }
}

/// Debian's Python with its `websockets`, another project's reading of the protocol. The script sees
/// the link as `ws`, and `sys.argv[1]` is its URL.
package func python(_ url: String, _ script: String) async throws -> String {
    let frame = """
        import asyncio, json, sys, websockets
        async def main():
            async with websockets.connect(sys.argv[1], subprotocols=["baton.v1"], max_size=None) as ws:
        \(script.split(separator: "\n", omittingEmptySubsequences: false).map { "        " + $0 }.joined(separator: "\n"))
        asyncio.run(main())
        """
    return try await output(of: "/usr/bin/python3", ["-c", frame, url])
}

extension Duration {
    /// A busy machine may let a client wait for seconds; none of the tests is about how long.
    package static let patient = Duration.seconds(60)
}

package func curl(_ arguments: String...) async throws -> String {
    try await output(of: "/usr/bin/curl", ["-sS", "--max-time", "60"] + arguments)
}

/// A TCP peer that says exactly what it is told to, right or wrong.
package final class RawPeer: Sendable {
    private let descriptor: Int32

    package init(port: UInt16) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    package func say(_ bytes: [UInt8]) async throws {
        try await blocking { [descriptor] in _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
    }

    /// For a few bytes to a pipe that holds nothing yet, which no thread has to wait for.
    package func sayAtOnce(_ bytes: [UInt8]) { _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    /// As `send` of the system, and waits for room; for a thread that may.
    package func sendOnce(_ bytes: [UInt8], from start: Int) -> Int {
        bytes[start...].withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    package func say(_ text: String) async throws { try await say(Array(text.utf8)) }

    /// Tells the other side that nothing more comes; what it sends can still be heard.
    package func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// What comes until there are so many bytes, the other side has closed, or half a minute has passed without any.
    package func hear(count: Int) async throws -> [UInt8] {
        try await blocking { [descriptor] in
            var heard: [UInt8] = []
            var room = [UInt8](repeating: 0, count: 65_536)
            while heard.count < count {
                let came = recv(descriptor, &room, room.count, 0)
                if came <= 0 { break }
                heard += room[..<came]
            }
            return heard
        }
    }

    /// What comes until the other side has closed, or `mark` was seen, or half a minute has passed.
    package func hear(until mark: String? = nil) async throws -> [UInt8] {
        try await blocking { [descriptor] in
            var heard: [UInt8] = []
            var room = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = recv(descriptor, &room, room.count, 0)
                if count <= 0 { return heard }
                heard += room[..<count]
                if let mark, String(decoding: heard, as: UTF8.self).contains(mark) { return heard }
            }
        }
    }

    package func text(until mark: String? = nil) async throws -> String {
        String(decoding: try await hear(until: mark), as: UTF8.self)
    }

    package static func upgrade(path: String = "/baton", _ extra: String = "Sec-WebSocket-Protocol: baton.v1\r\n") -> String {
        "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\(extra)\r\n"
    }

    /// A peer that has become a WebSocket.
    package static func upgraded(port: UInt16) async throws -> RawPeer {
        let peer = RawPeer(port: port)
        try await peer.say(upgrade())
        // Byte by byte, since what the hub says next, such as a ping, may have come with the head.
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
            let byte = try await peer.hear(count: 1)
            if byte.isEmpty { break }
            head += byte
        }
        return peer
    }

    /// One frame, masked unless told otherwise.
    package static func frame(_ payload: [UInt8], opcode: UInt8 = 1, isFinal: Bool = true, isMasked: Bool = true) -> [UInt8] {
        var frame: [UInt8] = [(isFinal ? 0x80 : 0) | opcode]
        let mask: UInt8 = isMasked ? 0x80 : 0
        if payload.count < 126 {
            frame.append(mask | UInt8(payload.count))
        } else {
            frame += [mask | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        }
        return frame + (isMasked ? [0x11, 0x22, 0x33, 0x44] : []) + (isMasked ? masked(payload) : payload)
    }

    private static func masked(_ payload: [UInt8]) -> [UInt8] {
        payload.enumerated().map { $1 ^ [0x11, 0x22, 0x33, 0x44][$0 % 4] }
    }
}
