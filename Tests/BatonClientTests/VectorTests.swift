/// The vectors in `Protocol/vectors` that concern a client: the line, the clock, the mirror.
import BatonClient
import BatonCore
import BatonProtocol
import BatonWire
import Foundation
import Testing

@Suite struct VectorTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Protocol/vectors/v1")

    private static func file(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: "\(name).json"))
    }

    private struct File<Case: Decodable>: Decodable { let cases: [Case] }

    private static func cases<Case: Decodable>(_ name: String) throws -> [Case] {
        try JSONDecoder().decode(File<Case>.self, from: file(name)).cases
    }

    struct TimelineCase: Decodable, Sendable, CustomTestStringConvertible {
        struct Line: Decodable, Sendable {
            let posMs: Milliseconds
            let atUs: Microseconds
            let rate: Int
        }

        let name: String
        let line: Line
        let durMs: Milliseconds?
        let hubUs: Microseconds
        let posMs: Milliseconds
        var testDescription: String { name }
    }

    @Test(arguments: try cases("timeline") as [TimelineCase]) func `a line is where its vector says`(vector: TimelineCase) {
        let line = Timeline(
            entry: nil, positionMs: vector.line.posMs, atUs: vector.line.atUs, rate: vector.line.rate, state: .playing)

        #expect((line.positionMs(atUs: vector.hubUs, durationMs: vector.durMs) - vector.posMs).magnitude <= 1)
    }

    struct Belief: Decodable, Sendable, CustomTestStringConvertible {
        struct Exchange: Decodable, Sendable {
            let t1: Int64
            let t2: Int64
            let t3: Int64
            let t4: Microseconds
        }

        let name: String
        let exchanges: [Exchange]
        let atUs: Microseconds
        let offsetUs: Microseconds?
        let errorUs: Microseconds?
        var testDescription: String { name }
    }

    @Test(arguments: try cases("clock") as [Belief]) func `the sample that is believed is the vector's`(vector: Belief) throws {
        var filter = ClockFilter()
        for one in vector.exchanges { filter.add(ClockSample(t1: one.t1, t2: one.t2, t3: one.t3), receivedUs: one.t4) }

        let best = filter.best(atUs: vector.atUs)

        guard let offset = vector.offsetUs, let error = vector.errorUs else {
            #expect(best == nil)
            return
        }
        let sample = try #require(best)
        #expect((sample.offsetUs - offset).magnitude <= 2)
        #expect((filter.errorUs(of: sample, atUs: vector.atUs) - error).magnitude <= 2)
    }

    /// These carry operations as they stand on the wire.
    @Test func `an open queue is after its operations what its vector says`() throws {
        let vectors = try #require(try JSON.parse([UInt8](Self.file("queue")))["cases"]?.array)
        for vector in vectors {
            let name = vector["name"]?.string ?? ""
            let start = (vector["start"]?.array ?? []).compactMap { $0.string.flatMap(EntryID.init(text:)) }
            var queue = QueueMirror()
            queue.take(
                QueuePage(
                    start.map { QueueRow(entry: $0, uri: nil, tags: Tags()) }, revision: 1, length: start.count,
                    current: vector["cur"]?.string.flatMap(EntryID.init(text:)), from: 0))
            let said: JSON = ["t": "q", "room": "living", "from": 1, "rev": 2, "ops": vector["ops"] ?? []]
            guard case .queue(let news) = try HubMessage.decode(JSONWriter.bytes { $0.value(said) }) else {
                Issue.record("\(name) is no message q.")
                continue
            }

            queue.apply(news)

            guard let expected = vector["expect"]?.array else {
                #expect(queue.need == .page(from: 0), "\(name)")
                continue
            }
            #expect(queue.ids.map(\.text) == expected.compactMap(\.string), "\(name)")
            #expect(queue.current?.text ?? "" == vector["after"]?.string ?? "", "\(name)")
        }
        #expect(vectors.count > 8)
    }

    /// These carry states as they stand on the wire, so our own codec reads them.
    @Test func `a mirror holds after a state what its vector says`() throws {
        guard case .object(let root) = try JSON.parse([UInt8](Self.file("coalescing"))), let cases = root["cases"]?.array else {
            Issue.record("The vectors are no object with cases.")
            return
        }
        var tried = 0
        for case .object(let vector) in cases where vector["kind"]?.string == "apply" {
            guard case .object(let holds)? = vector["holds"], let held = holds["sections"], let state = vector["state"] else { continue }
            let name = vector["name"]?.string ?? ""
            var mirror = Mirror()
            _ = try mirror.apply(update(of: .object(["t": "state", "full": 1, "rev": holds["rev"] ?? 0, "room": "main", "s": held])))
            let before = mirror

            let applied = try mirror.apply(update(of: state))

            if vector["expect"]?.string == "sync" {
                #expect(applied == .gap && mirror == before, "\(name)")
            } else {
                var expected = Mirror()
                _ = try expected.apply(
                    update(
                        of: .object(["t": "state", "full": 1, "rev": vector["rev"] ?? 0, "room": "main", "s": vector["expect"] ?? .null])))
                #expect(applied == .applied && mirror == expected, "\(name)")
            }
            tried += 1
        }
        #expect(tried > 8)
    }

    private func update(of message: JSON) throws -> StateUpdate {
        guard case .state(let update) = try HubMessage.decode(JSONWriter.bytes { $0.value(message) }) else {
            throw ProtocolFault(.badRequest, "This is no state.")
        }
        return update
    }
}

/// A vector writes a time as its number.
extension Decodable where Self: CountedTime {
    init(from decoder: any Decoder) throws { self.init(count: try decoder.singleValueContainer().decode(Int64.self)) }
}

extension Milliseconds: Decodable {}
extension Microseconds: Decodable {}
