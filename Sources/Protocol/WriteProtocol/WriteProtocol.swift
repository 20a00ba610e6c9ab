import Foundation
import PackagePlugin

/// Runs `ProtocolWriter` before `BatonProtocol` is compiled, whenever a definition has changed.
@main struct WriteProtocol: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = context.package.directoryURL.appending(path: "Protocol")
        // A folder changes when a file comes or goes, and a file when it is edited, so both are named.
        let inputs = ["commands", "registries/commands.json", "schema/v1/common.json"].flatMap { part in
            [part] + (FileManager.default.subpaths(atPath: folder.appending(path: part).path) ?? []).sorted().map { "\(part)/\($0)" }
        }
        let output = context.pluginWorkDirectoryURL.appending(path: "Commands+Written.swift")
        return [
            .buildCommand(
                displayName: "Writing the commands of the protocol", executable: try context.tool(named: "ProtocolWriter").url,
                arguments: [output.path, folder.path], inputFiles: inputs.map { folder.appending(path: $0) }, outputFiles: [output])
        ]
    }
}
