/// The vectors in `Protocol/vectors` about a device that plays the sound of a room: its clock, its starts and its corrections.
import BatonCore
import Foundation
import Testing

@Suite struct InStepVectorTests {
    private struct File<Case: Decodable>: Decodable { let cases: [Case] }

    private static func cases<Case: Decodable>(_ name: String) throws -> [Case] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Protocol/vectors/v1")
        return try JSONDecoder().decode(File<Case>.self, from: Data(contentsOf: folder.appending(path: "\(name).json"))).cases
    }

    struct Clock: Decodable, Sendable, CustomTestStringConvertible {
        struct Exchange: Decodable, Sendable {
            let offsetUs: Double
            let errorUs: Double
            let atUs: Microseconds
        }
        struct Ask: Decodable, Sendable {
            let atUs: Microseconds
            let hubUs: Microseconds?
        }

        let name: String
        let exchanges: [Exchange]
        let asks: [Ask]
        var testDescription: String { name }
    }

    @Test(arguments: try cases("audioclock") as [Clock]) func `the hub's clock is what its vector says`(vector: Clock) throws {
        var clock = AudioClock()
        for one in vector.exchanges { clock.take(offsetUs: one.offsetUs, errorUs: one.errorUs, atUs: one.atUs) }

        for ask in vector.asks {
            let found = clock.hubUs(atUs: ask.atUs)
            guard let wanted = ask.hubUs else {
                #expect(found == nil)
                continue
            }
            #expect((try #require(found) - wanted).magnitude <= 2)
        }
    }

    struct Beginning: Decodable, Sendable, CustomTestStringConvertible {
        struct Line: Decodable, Sendable {
            let posUs: Microseconds
            let atUs: Microseconds
            let rate: Int
        }
        struct Start: Decodable, Sendable {
            let positionMs: Milliseconds
            let dueUs: Microseconds
        }

        let name: String
        let line: Line
        let nowUs: Microseconds
        let leadUs: Microseconds
        let offsetUs: Microseconds?
        let lengthUs: Microseconds?
        let start: Start?
        var testDescription: String { name }
    }

    @Test(arguments: try cases("starts") as [Beginning]) func `an item begins where its vector says`(vector: Beginning) {
        let line = RoomLine(
            entry: EntryID(1), positionUs: vector.line.posUs, atUs: vector.line.atUs, rate: vector.line.rate)

        let start = line.start(
            nowUs: vector.nowUs, leadUs: vector.leadUs, offsetUs: vector.offsetUs ?? 0, lengthUs: vector.lengthUs)

        #expect(start?.positionMs == vector.start?.positionMs)
        #expect(start?.dueUs == vector.start?.dueUs)
    }

    struct Correction: Decodable, Sendable, CustomTestStringConvertible {
        struct Step: Decodable, Sendable {
            enum Wanted: Decodable, Sendable {
                case speed(Int)
                case start

                init(from decoder: any Decoder) throws {
                    let value = try decoder.singleValueContainer()
                    self =
                        try (try? value.decode(Int.self)).map(Wanted.speed) ?? (value.decode(String.self) == "start" ? .start : .speed(0))
                }
            }

            let driftUs: Double
            let atUs: Microseconds
            let settled: Bool?
            let step: Wanted?
        }

        let name: String
        let steps: [Step]
        let newStarts: Int
        var testDescription: String { name }
    }

    @Test(arguments: try cases("corrections") as [Correction]) func `a difference is corrected as its vector says`(vector: Correction) {
        var rule = StepRule()
        for one in vector.steps {
            let wanted: StepRule.Step =
                switch one.step {
                case .speed(let permille): .speed(permille)
                case .start: .startAnew
                case nil: .none
                }
            #expect(rule.step(driftUs: one.settled ?? true ? one.driftUs : nil, atUs: one.atUs) == wanted)
        }
        #expect(rule.newStarts == vector.newStarts)
    }
}

/// A vector writes a time as its number.
extension Decodable where Self: CountedTime {
    init(from decoder: any Decoder) throws { self.init(count: try decoder.singleValueContainer().decode(Int64.self)) }
}

extension Milliseconds: Decodable {}
extension Microseconds: Decodable {}
