// Generates Swift code from the definitions and schemas in Protocol/. SwiftPM runs it during a build, through the plugin WriteProtocol,
// after changes. A mistake in one of the files ends the build with a sentence.
//
// Usage: ProtocolWriter commands|command-codecs|shapes|codecs OUTPUT FOLDER

import Foundation

/// Prints the sentence in the build's output, and fails.
func refuse(_ sentence: String) -> Never {
    FileHandle.standardError.write(Data("\(sentence)\n".utf8))
    exit(1)
}

guard CommandLine.arguments.count == 4 else {
    refuse("ProtocolWriter: usage: ProtocolWriter commands|command-codecs|shapes|codecs OUTPUT FOLDER")
}
let (part, output, folder) = (CommandLine.arguments[1], CommandLine.arguments[2], CommandLine.arguments[3])

var files: [String: [UInt8]] = [:]
do {
    var paths = ["registries/commands.json", "registries/errors.json", "registries/reasons.json", "schema/v1/common.json"]
    for place in ["commands", "schema/v1/section", "schema/v1/client", "schema/v1/hub", "schema/v1/hub/data"] {
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(place)").filter { $0.hasSuffix(".json") }
        paths += names.map { "\(place)/\($0)" }
    }
    for path in paths { files[path] = [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\(path)"))) }
} catch {
    refuse("\(folder): error: a definition cannot be read: \(error.localizedDescription)")
}

let text: String
do throws(Mistake) {
    switch part {
    case "commands":
        let definitions = try Definition.all(in: files)
        let types = definitions.map { CommandType($0).text }.joined()
        text = CommandTable(definitions).text + (try RegistryWords(files).text) + AnswerTypes(definitions).declarations + types
    case "command-codecs": text = CommandCodec.text(try Definition.all(in: files))
    case "shapes": text = try SchemaFiles(files).declarations
    case "codecs": text = try SchemaFiles(files).codecs
    default: refuse("ProtocolWriter: it writes no \(part)")
    }
} catch {
    refuse("\(folder)/\(error.sentence)")
}
do { try text.write(toFile: output, atomically: true, encoding: .utf8) } catch {
    refuse("\(output): error: it cannot be written: \(error.localizedDescription)")
}
