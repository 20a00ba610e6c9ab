import Foundation
import PackagePlugin

/// Runs `PageEmbedder` before `WebRemote` is compiled, whenever a file of the page or the client has changed.
@main struct EmbedPage: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let module = target.sourceModule else { return [] }
        let folder = module.directoryURL.appending(path: "page").path + "/"
        let page = module.sourceFiles.map(\.url).filter { $0.path.hasPrefix(folder) }
        let browser = context.package.directoryURL.appending(path: "examples/browser/client")
        let client = try FileManager.default.contentsOfDirectory(at: browser, includingPropertiesForKeys: nil)
            // The page loads the client's modules one by one, so the bundle for other apps is left out.
            .filter { $0.pathExtension == "js" && $0.lastPathComponent != "baton-whole.js" }
        // The fingerprint depends on the order, which must not vary with that of the folder.
        let files = (page + client).sorted { $0.lastPathComponent < $1.lastPathComponent }
        let output = context.pluginWorkDirectoryURL.appending(path: "WebRemote+Embedded.swift")
        return [
            .buildCommand(
                displayName: "Embedding the page", executable: try context.tool(named: "PageEmbedder").url,
                arguments: [output.path] + files.map(\.path), inputFiles: files, outputFiles: [output])
        ]
    }
}
