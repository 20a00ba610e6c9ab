import BatonProtocol
package import BatonSeams
import BatonWire

/// Anything a peer may say to a hub: any frames in any order, on several connections, while time passes,
/// readers stall, lines break and the hub dies. The script is bytes, a step a line, so that a fuzzer can write it:
///
///     cl      a connection opens: u unix socket, l loopback, n network, t TLS; at the path of versions before Core 1.0
///             e of a program, o of the hub's own page
///     0{…}    this text comes in on the first connection; 0 to 3
///     b0…     these bytes come in as a binary message
///     w4      time passes; 0 to 9, ever longer
///     s0 r0   its client stops reading; it reads again
///     x0      the line breaks
///     k       the hub is killed and starts again
///
/// Whatever it is, the hub must live, say only what can be read, answer each command once, leave no hole
/// between two states, keep to its longest frame, and change nothing for a peer it has not welcomed.
@Loop
package final class NoisyDialogue {
    package struct Violation: Error, CustomStringConvertible {
        package let description: String
    }

    private struct Line {
        let remote: TestRemote
        /// How many questions of each number wait for their answer.
        var asked: [Int: Int] = [:]
        var wasClosed = false
        var isCut = false
        /// Whether it is of a version before Core 1.0, which gets what only that can read, and its end.
        var isEarlier = false
        @Loop var isOpen: Bool { !isCut && remote.closed == nil }
    }

    private static let mostSteps = 300
    private static let mostLines = 4
    private static let longest = WireLimits.standard.hubFrame
    private static let pausesMs = [0, 20, 60, 300, 1000, 2500, 5000, 11_000, 50_000, 400_000]

    private let hub: SimulatedHub
    private var lines: [Line] = []
    private var isAnybodyWelcome = false
    private var heard = 0
    private let quietCommits: Int

    private init() throws {
        hub = try SimulatedHub(lanPlain: .guest)
        quietCommits = hub.journal.commits
    }

    /// How many messages the hub has said. Throws a `Violation` when it breaks a promise.
    @discardableResult
    package static func play(_ script: [UInt8]) async throws -> Int {
        let dialogue = try NoisyDialogue()
        defer { dialogue.end() }
        for step in script.split(separator: 10).prefix(mostSteps) {
            try dialogue.take(step)
            // What left the loop comes back within a few turns.
            for _ in 0..<4 { await Task.yield() }
            dialogue.hub.time.settle()
            for line in dialogue.lines where line.isOpen { line.remote.becomeWritable() }
            try dialogue.check()
        }
        return dialogue.heard
    }

    private func take(_ step: ArraySlice<UInt8>) throws {
        let (verb, rest) = (step[step.startIndex], step.dropFirst())
        switch verb {
        case UInt8(ascii: "c"): try connect(rest.first)
        case UInt8(ascii: "0")...UInt8(ascii: "3"): send(Array(rest), to: Int(verb - UInt8(ascii: "0")))
        case UInt8(ascii: "b"): with(rest) { $0.remote.send(binary: Array(rest.dropFirst().prefix($0.remote.bounds.binaryBytes))) }
        case UInt8(ascii: "w"): pass(rest.first)
        case UInt8(ascii: "s"): with(rest) { $0.remote.isReading = false }
        case UInt8(ascii: "r"): with(rest) { $0.remote.isReading = true }
        case UInt8(ascii: "x"):
            with(rest) {
                $0.isCut = true
                $0.remote.drop()
            }
        case UInt8(ascii: "k"):
            // The clients are told when nothing that they do can count any more.
            end()
            try hub.start()
        default: break
        }
    }

    /// Nothing is left behind: a fuzzer plays a million of these in one process.
    private func end() {
        hub.kill()
        for line in lines where line.isOpen { line.remote.drop() }
        lines = []
        hub.time.forget()
    }

    private func connect(_ kind: UInt8?) throws {
        lines.removeAll { !$0.isOpen }
        guard lines.count < Self.mostLines else { return }
        let channel: Peer.Channel =
            switch kind {
            case UInt8(ascii: "u"): .unix(uid: 0, gid: 0)
            case UInt8(ascii: "n"): .network
            case UInt8(ascii: "t"): .tls
            default: .loopback
            }
        let isElsewhere = channel == .network || channel == .tls
        let isPage = kind == UInt8(ascii: "o")
        let isEarlier = isPage || kind == UInt8(ascii: "e")
        let headers = isPage ? ["host": "127.0.0.1:9442", "origin": "http://127.0.0.1:9442"] : ["host": "127.0.0.1:9442"]
        let address = isElsewhere ? "192.168.1.40" : "127.0.0.1"
        let path = isEarlier ? "/companion/v1" : "/baton"
        guard let remote = try? hub.connect(over: channel, from: address, headers: headers, path: path) else { return }
        if channel == .tls { remote.exporter = [UInt8](repeating: 7, count: 32) }
        lines.append(Line(remote: remote, isEarlier: isEarlier))
    }

    /// Sockets lets through what is UTF-8 and not too long.
    private func send(_ text: [UInt8], to index: Int) {
        guard lines.indices.contains(index), lines[index].isOpen, String(validating: text, as: UTF8.self) != nil else { return }
        let remote = lines[index].remote
        switch try? ClientMessage.decode(text) {
        case .command(let frame): lines[index].asked[frame.id, default: 0] += 1
        case .subscribe(let subscription): lines[index].asked[subscription.id, default: 0] += 1
        default: break
        }
        if text.count > remote.bounds.textBytes { remote.close(CloseCode.messageTooLong.rawValue, "") } else { remote.send(text) }
    }

    private func with(_ rest: ArraySlice<UInt8>, _ body: (inout Line) -> Void) {
        let index = Int(rest.first ?? 0) - Int(UInt8(ascii: "0"))
        if lines.indices.contains(index), lines[index].isOpen { body(&lines[index]) }
    }

    private func pass(_ digit: UInt8?) {
        let index = Int(digit ?? 0) - Int(UInt8(ascii: "0"))
        hub.time.pass(.milliseconds(Self.pausesMs.indices.contains(index) ? Self.pausesMs[index] : 0))
    }

    // MARK: Judging

    private func check() throws {
        for index in lines.indices { try check(&lines[index]) }
        guard !isAnybodyWelcome, hub.journal.commits != quietCommits else { return }
        throw Violation(description: "Something was kept, and no peer has been welcomed.")
    }

    private func check(_ line: inout Line) throws {
        let remote = line.remote
        if line.wasClosed, !remote.frames.isEmpty { throw Violation(description: "The hub spoke after it had closed: \(remote.frames[0])") }
        for frame in remote.frames where frame.utf8.count > Self.longest {
            throw Violation(description: "A frame of \(frame.utf8.count) bytes: \(frame.prefix(200))")
        }
        guard line.isEarlier || remote.frames.count == remote.messages.count else {
            throw Violation(description: "The hub said what it cannot read itself: \(remote.frames)")
        }
        guard remote.gaps == 0 else { throw Violation(description: "A state does not follow on the last one: \(remote.frames)") }
        for message in remote.messages {
            if case .welcome = message, !line.isEarlier { isAnybodyWelcome = true }
            // What is refused for its form was no question.
            guard case .reply(let reply) = message, reply.reply.isSuccess else { continue }
            line.asked[reply.reply.id, default: 0] -= 1
            if line.asked[reply.reply.id, default: 0] < 0 { throw Violation(description: "\(reply.reply.id) was answered twice.") }
        }
        heard += remote.messages.count
        remote.forgetFrames()
        line.wasClosed = remote.closed != nil
        if let code = remote.closed?.code, CloseCode(rawValue: code) == nil {
            throw Violation(description: "The hub closed with \(code), which no client knows.")
        }
    }
}
