import BatonCore
import BatonProtocol
import BatonWire
import Foundation
import Harness
import Testing

/// What `Tests/Fuzz` looks for by the hour, for a second: the examples and the bad vectors of `Protocol/`, whole and
/// damaged, in any order. BT-BAD-001 BT-BAD-003 BT-BAD-004
@Suite struct NoiseTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Protocol")

    /// What a client says, and what it should not.
    private static let (said, bad): ([[UInt8]], [[UInt8]]) = {
        let examples = folder.appending(path: "examples")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: examples.path))?.sorted() ?? []
        let said = names.filter { $0.hasPrefix("client-") }.compactMap { try? [UInt8](Data(contentsOf: examples.appending(path: $0))) }
        let bad = (try? JSON.parse([UInt8](Data(contentsOf: folder.appending(path: "vectors/v1/bad.json")))))?["cases"]?.array ?? []
        return (said, bad.compactMap { $0["text"]?.string.map { Array($0.utf8) } })
    }()

    private static func hello(_ view: StateView, _ random: inout SeededGenerator) -> [UInt8] {
        let client = Hello.Client(id: "noise-\(random.next() % 3)", run: "r\(random.next() % 2)", name: "Noise")
        return JSONWriter.bytes(Hello(view: view.rawValue, client: client).encode)
    }

    /// A line of the script; what is said may hold no line end. Commands count upwards, as a client's do.
    private static func step(_ number: Int, _ random: inout SeededGenerator) -> [UInt8] {
        let digit = UInt8(ascii: "0") + UInt8(random.next() % 3)
        switch random.next() % 30 {
        case 0, 1, 2:
            let opened = Array("c".utf8) + [Array("ulnt".utf8).randomElement(using: &random)!, 10, digit]
            return opened + hello(StateView.allCases.randomElement(using: &random)!, &random)
        case 3: return [digit] + hello(.remote, &random)
        case 4, 5, 6: return Array("w\(random.next() % 8)".utf8)
        case 7: return Array("w\(random.next() % 10)".utf8)
        case 8: return [Array("srx".utf8).randomElement(using: &random)!, digit]
        case 9: return random.next() % 4 == 0 ? Array("k".utf8) : [UInt8(ascii: "b"), digit, 0x10, 0x00]
        case 10: return [digit] + bad.randomElement(using: &random)!.filter { $0 != 10 }
        default:
            let one = String(decoding: said.randomElement(using: &random)!.filter { $0 != 10 }, as: UTF8.self)
            var text = Array(one.replacing(/"id":[0-9]+/, with: "\"id\":\(number)").utf8)
            if random.next() % 6 == 0 { text[Int(random.next() % UInt64(text.count))] = UInt8(random.next() % 95 + 32) }
            return [digit] + text
        }
    }

    @Test(arguments: UInt64(0)..<150) func `whatever is said in whatever order, the hub keeps its promises`(seed: UInt64) async throws {
        #expect(Self.said.count > 40 && Self.bad.count > 30)
        var random = SeededGenerator(seed)
        var script = Array("cl\ncu\n0".utf8) + Self.hello(.full, &random)
        for number in 1...60 { script += [10] + Self.step(number, &random) }
        let whole = script

        let heard = try await onLoop { try await NoisyDialogue.play(whole) }

        #expect(heard >= 2, "whoever greets is welcomed")
    }
}
