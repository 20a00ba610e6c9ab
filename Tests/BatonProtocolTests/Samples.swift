/// What several suites need: a generator that repeats itself, random JSON, and short ways to say
/// "these bytes".
import BatonProtocol
import BatonWire

struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

func text(_ encode: (inout JSONWriter) -> Void) -> String { String(decoding: JSONWriter.bytes(encode), as: UTF8.self) }

func parse(_ text: String, limits: JSONLimits = .standard) throws(JSONFault) -> JSON { try JSON.parse(utf8(text), limits: limits) }

/// The fault, or `nil` when the text was accepted.
func fault(_ text: String, limits: JSONLimits = .standard) -> JSONFault? { fault(utf8(text), limits: limits) }

func fault(_ bytes: [UInt8], limits: JSONLimits = .standard) -> JSONFault? {
    do throws(JSONFault) {
        _ = try JSON.parse(bytes, limits: limits)
        return nil
    } catch { return error }
}

extension JSON {
    static func random(using random: inout SeededGenerator, depth: Int = 5) -> JSON {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
        case 0: .null
        case 1: .bool(.random(using: &random))
        case 2: .int(.random(in: -JSON.largestNumber...JSON.largestNumber, using: &random))
        case 3: .int(.random(in: -100...100, using: &random))
        case 4: .double(Double.random(in: -1e9...1e9, using: &random) + 0.123)
        case 5: .string(.random(using: &random))
        case 6: .array((0..<Int.random(in: 0...5, using: &random)).map { _ in .random(using: &random, depth: depth - 1) })
        default: .object(.random(using: &random, depth: depth - 1))
        }
    }
}

extension JSONObject {
    static func random(using random: inout SeededGenerator, depth: Int) -> JSONObject {
        var object = JSONObject()
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            // Distinct byte by byte and also as Swift compares, since the subscript compares as Swift does.
            object["\(object.members.count)" + String.random(using: &random, upTo: 8)] = .random(using: &random, depth: depth)
        }
        return object
    }
}

extension String {
    static func random(using random: inout SeededGenerator, upTo length: Int = 24) -> String {
        var scalars = UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...length, using: &random) {
            let ranges: [ClosedRange<UInt32>] = [
                0x20...0x7E, 0...0x1F, 0x22...0x22, 0x5C...0x5C, 0xA0...0x2FFF, 0x1F300...0x1FAFF, 0xE000...0x10FFFF,
            ]
            let range = ranges[Int.random(in: 0..<ranges.count, using: &random)]
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { scalars.append(scalar) }
        }
        return String(scalars)
    }
}
