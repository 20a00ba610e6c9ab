// Writes the Swift that follows from the definitions in Protocol/. SwiftPM runs it during a build, through the plugin
// WriteProtocol, when one of them has changed. A mistake in one of them ends the build with a sentence.
//
// Usage: ProtocolWriter commands|command-codecs OUTPUT FOLDER

import Foundation

/// Prints the sentence where the build shows it, and fails.
func refuse(_ sentence: String) -> Never {
    FileHandle.standardError.write(Data("\(sentence)\n".utf8))
    exit(1)
}

guard CommandLine.arguments.count == 4 else { refuse("ProtocolWriter: usage: ProtocolWriter commands|command-codecs OUTPUT FOLDER") }
let (part, output, folder) = (CommandLine.arguments[1], CommandLine.arguments[2], CommandLine.arguments[3])

var files: [String: [UInt8]] = [:]
do {
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/commands").filter { $0.hasSuffix(".json") }
    for path in names.map({ "commands/\($0)" }) + ["registries/commands.json", "schema/v1/common.json"] {
        files[path] = [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\(path)")))
    }
} catch {
    refuse("\(folder): error: a definition cannot be read: \(error.localizedDescription)")
}

let text: String
do throws(Mistake) {
    let definitions = try Definition.all(in: files)
    switch part {
    case "commands": text = CommandTable(definitions).text + definitions.map { CommandType($0).text }.joined()
    case "command-codecs": text = CommandCodec.text(definitions)
    default: refuse("ProtocolWriter: it writes no \(part)")
    }
} catch {
    refuse("\(folder)/\(error.sentence)")
}
do { try text.write(toFile: output, atomically: true, encoding: .utf8) } catch {
    refuse("\(output): error: it cannot be written: \(error.localizedDescription)")
}
