/// The vectors in `Protocol/vectors`, read by this module: bad messages, sameness of commands, cut texts.
import BatonProtocol
import BatonWire
import Foundation
import Testing

@Suite struct VectorTests {
    private struct File<Case: Decodable>: Decodable { let cases: [Case] }

    private static func cases<Case: Decodable>(_ name: String) throws -> [Case] {
        let path = ExampleTests.folder.appending(path: "vectors/v1/\(name).json")
        return try JSONDecoder().decode(File<Case>.self, from: Data(contentsOf: path)).cases
    }

    struct Bad: Decodable, Sendable, CustomTestStringConvertible {
        struct Outcome: Decodable, Sendable {
            let close: Int?
            let err: String?
            let res: String?
            let at: String?
        }

        let name: String
        let text: String?
        let hex: String?
        let isJSON: Bool
        let after: Outcome
        var testDescription: String { name }

        var bytes: [UInt8] {
            guard let hex else { return Array((text ?? "").utf8) }
            return stride(from: 0, to: hex.count, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) }
        }
    }

    @Test(arguments: try cases("bad") as [Bad]) func `a bad message is refused as its vector says`(vector: Bad) throws {
        // What is too deep for a message is JSON all the same.
        var limits = JSONLimits.standard
        limits.depth = 64
        #expect((fault(vector.bytes, limits: limits) == nil) == vector.isJSON)

        let refused = refusal(of: vector.bytes)

        if let code = vector.after.err { #expect(refused?.code.rawValue == code && refused?.id == nil) }
        if let code = vector.after.res {
            #expect(refused?.code.rawValue == code && refused?.id == 1)
            if let at = vector.after.at { #expect(refused?.at == at) }
        }
    }

    /// How the hub would put it: what is unknown is no fault of the decoder, and has a code of its own.
    private func refusal(of bytes: [UInt8]) -> ProtocolFault? {
        do throws(ProtocolFault) {
            switch try ClientMessage.decode(bytes) {
            case .unknown(let type): return ProtocolFault(.unknownType, type)
            case .command(let frame):
                do throws(ProtocolFault) { _ = try frame.command() } catch {
                    var fault = error
                    fault.id = frame.id
                    return fault
                }
                return nil
            default: return nil
            }
        } catch { return error }
    }

    struct Pair: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let first: String
        let second: String
        let same: Bool
        var testDescription: String { name }
    }

    @Test(arguments: try cases("dedupe") as [Pair]) func `two sendings are one command exactly when their vector says so`(vector: Pair)
        throws
    {
        func print(_ text: String) throws -> UInt64? {
            guard case .command(let frame) = try ClientMessage.decode(utf8(text)) else { return nil }
            return frame.fingerprint
        }
        let first = try #require(try print(vector.first))
        let second = try #require(try print(vector.second))

        #expect((first == second) == vector.same)
    }

    struct Ending: Decodable, Sendable, CustomTestStringConvertible {
        let code: UInt16
        let advice: String
        let afterMs: Int64?
        var testDescription: String { "\(code)" }
    }

    @Test(arguments: try cases("close") as [Ending]) func `after a close code a client does what its vector says`(vector: Ending) throws {
        let expected: CloseCode.Advice =
            switch vector.advice {
            case "retry": .retry(afterMs: .init(vector.afterMs ?? 0))
            case "pair": .pairAgain
            case "update": .update
            default: .stop
            }

        #expect(try #require(CloseCode(rawValue: vector.code)).advice == expected)
    }

    struct Mistake: Decodable, Sendable, CustomTestStringConvertible {
        let code: String
        let retry: Int
        var testDescription: String { code }
    }

    @Test(arguments: try cases("errors") as [Mistake]) func `a code says whether to try again as its vector does`(vector: Mistake) throws {
        #expect(try #require(ErrorCode(rawValue: vector.code)).retry == (vector.retry == 1))
    }

    struct Cut: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let clusters: Int?
        let bytes: Int
        let cut: String
        var testDescription: String { name }
    }

    @Test(arguments: try cases("truncation") as [Cut]) func `a text is cut where its vector says`(vector: Cut) {
        let cut = DisplayText(clusters: vector.clusters ?? .max, bytes: vector.bytes).cut(vector.text)

        #expect(cut == vector.cut)
        #expect(Array(cut.utf8) == Array(vector.cut.utf8))
    }
}
