/// The hub refuses parameters that do not fit together just where a check of the definition says so, in the order of the checks.
import BatonProtocol
import BatonWire
import Foundation
import Testing

@Suite struct CheckTests {
    @Test(arguments: CommandKind.allCases) func `parameters are refused together as the checks say`(kind: CommandKind) throws {
        let written = try WrittenDefinition(kind.rawValue), checks = written.checks
        guard !checks.isEmpty else { return }
        let joined = checks.reduce(into: Set<String>()) { $0.formUnion($1.names) }
        // Each value is right by itself, so what is refused are several.
        var combinations: [[String]] = [["bare"]]
        for row in written.rows where row.isRequired || joined.contains(row.name) {
            let changes = row.form.right.map { "\(row.name)=\($0)" }
            combinations = combinations.flatMap { begun -> [[String]] in
                let longer = changes.map { begun + [$0] }
                return row.isRequired ? longer : [begun] + longer
            }
        }

        var failed: Set<String> = []
        for combination in combinations {
            let frame = try FaultRecording.frame(of: kind.rawValue, [], combination)
            let said = FaultRecording.said(of: frame)
            if let check = checks.first(where: { $0.fails(for: frame.params) }) {
                #expect(said == check.said, "\(kind.rawValue) \(combination)")
                failed.insert(check.said)
            } else {
                #expect(!checks.contains { $0.said == said }, "\(kind.rawValue) \(combination): \(said)")
            }
        }

        #expect(failed == Set(checks.map(\.said)))
    }

    @Test func `a value that stands for a missing parameter is read as a missing one`() throws {
        for command in FaultRecording(try String(contentsOf: FaultRecording.file, encoding: .utf8)).commands {
            for row in try WrittenDefinition(command.name).rows {
                guard let usual = row.usual else { continue }
                var frame = try FaultRecording.frame(of: command.name, command.usual, ["-\(row.name)"])
                guard let without = try? frame.command() else { continue }
                frame.params[row.name] = usual
                #expect(try frame.command().isSame(as: without), "\(command.name) \(row.name)")
            }
        }
    }
}

extension ParameterDescription.Form {
    /// Right values as `FaultRecording` spells them, with those that a check may look at.
    fileprivate var right: [String] {
        switch self {
        case .choice(let words): words.map { "\"\($0)\"" }
        case .uri: [#""a:b/c""#, "x*129"]
        case .text(let bytes): ["x*\(max(1, bytes.lowerBound))", "\"" + String(repeating: " ", count: max(1, bytes.lowerBound)) + "\""]
        case .options: [#"{"quality":"mp3"}"#, "{}"]
        default: Array(texts.prefix(1))
        }
    }
}
