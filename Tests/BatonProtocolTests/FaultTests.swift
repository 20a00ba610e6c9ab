/// Faults of parameters are those that `Faults.txt` holds: code, place and sentence of each wrong value, each missing parameter and each
/// two that do not go together, and which one is named where several are wrong. Programs and people read these, so they stay when the
/// reading is written anew. `BATON_RECORD=1` in the environment records a new command or sentence; commit the file with it.
import BatonProtocol
import BatonWire
import Foundation
import Testing

@Suite struct FaultTests {
    private static let recording: Result<FaultRecording, any Error> = Result {
        if FaultRecording.isRecording {
            var made = FaultRecording()
            for kind in CommandKind.allCases {
                made.commands.append(try FaultCases.recorded(kind.rawValue))
            }
            try made.text.write(to: FaultRecording.file, atomically: true, encoding: .utf8)
        }
        return FaultRecording(try String(contentsOf: FaultRecording.file, encoding: .utf8))
    }

    @Test func `each fault of parameters is the recorded one`() throws {
        var different: [String] = []
        for command in try Self.recording.get().commands {
            for (said, every) in command.cases {
                for changes in every {
                    let now = try FaultRecording.said(of: command.name, command.usual, changes)
                    if now != said { different.append("\(command.name) \(changes): \(said)\n  and now \(now)") }
                }
            }
        }
        #expect(different.isEmpty, "\(different.count) differ. \(different.prefix(20).joined(separator: "\n"))")
    }

    @Test func `the parameters of every command are recorded, and are accepted where they are right`() throws {
        let commands = try Self.recording.get().commands
        #expect(commands.map(\.name).sorted() == CommandKind.allCases.map(\.rawValue).sorted())
        for command in commands {
            let known = Set(try WrittenDefinition(command.name).rows.map(\.name))
            let changes: [[String]] = command.cases.flatMap { $0.changes }
            let tried = Set(changes.joined().compactMap { $0.split(separator: "=").first.map(String.init) })
            #expect(known.subtracting(tried).isEmpty, "BATON_RECORD=1 records \(command.name).")
            #expect(try FaultRecording.said(of: command.name, command.usual, []) == "ok", "\(command.name)")
        }
    }
}
