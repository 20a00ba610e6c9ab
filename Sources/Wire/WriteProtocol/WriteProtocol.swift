import Foundation
import PackagePlugin

/// Runs `ProtocolWriter` before a module is compiled that gets code from it, whenever a definition has changed.
@main struct WriteProtocol: BuildToolPlugin {
    /// The parts of code that are generated for each module, and the files they go to.
    private static let parts = [
        "BatonProtocol": [("commands", "Commands+Written.swift"), ("shapes", "Shapes+Written.swift")],
        "BatonWire": [("command-codecs", "Commands+Wire+Written.swift"), ("codecs", "Shapes+Wire+Written.swift")],
    ]

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = context.package.directoryURL.appending(path: "Protocol")
        // A folder changes when a file comes or goes, and a file when it is edited, so both are named.
        let places = [
            "commands", "registries/commands.json", "registries/errors.json", "registries/reasons.json", "schema/v1/common.json",
            "schema/v1/section", "schema/v1/client", "schema/v1/hub",
        ]
        let inputs = places.flatMap { part in
            [part] + (FileManager.default.subpaths(atPath: folder.appending(path: part).path) ?? []).sorted().map { "\(part)/\($0)" }
        }
        let writer = try context.tool(named: "ProtocolWriter").url
        return (Self.parts[target.name] ?? []).map { part, file in
            let output = context.pluginWorkDirectoryURL.appending(path: file)
            return .buildCommand(
                displayName: "Writing the \(part) of the protocol", executable: writer, arguments: [part, output.path, folder.path],
                inputFiles: inputs.map { folder.appending(path: $0) }, outputFiles: [output])
        }
    }
}
