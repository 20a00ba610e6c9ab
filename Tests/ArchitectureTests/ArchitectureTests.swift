import Foundation
import Harness
import Testing

/// The source tree follows its own rules.
@Suite struct ArchitectureTests {
    @Test func `no module imports one above it`() {
        expectNone(SourceTree.sources.flatMap(ModuleRules.complaints))
    }

    @Test func `a connector and the feature that it serves do not name each other's types`() {
        expectNone(ModuleRules.parts.keys.filter { !SourceTree.exists($0) })
        expectNone(PartRules.complaints(about: SourceTree.sources))
    }

    @Test func `no folder bears the name of a layer or of a module`() {
        expectNone(FolderNames.complaints(about: SourceTree.sourcePaths))
    }

    @Test func `the daemon links the clients for connectors, and no code of the satellite`() throws {
        let manifest = try String(contentsOf: SourceTree.root.appending(path: "Package.swift"), encoding: .utf8)
        let linked = PackageMap.modules(linkedBy: "batond", in: manifest)

        #expect(linked.isSuperset(of: ["EventLoop", "HTTPClient"]))
        #expect(linked.isDisjoint(with: ["BatonClient", "WebClient", "baton"]))
    }

    @Test func `locks live in the edges and in the loop's queue`() {
        expectNone(SourceTree.sources.flatMap(SourceRules.locks))
    }

    @Test func `what the satellite prints of others cannot steer a terminal`() {
        expectNone(SourceTree.sources.flatMap(SourceRules.terminalWrites))
    }

    @Test func `every task is kept by the code that starts it`() {
        expectNone(SourceTree.sources.flatMap(SourceRules.looseTasks))
    }

    @Test func `a part of the hub holds nothing that may be missing when it is used`() {
        expectNone(SourceTree.sources.flatMap(SourceRules.unsafeReferences))
    }

    @Test func `what a part calls is known when it is made`() {
        expectNone(SettableClosures.complaints(about: SourceTree.sources))
    }

    @Test func `hub, dialects, programs and page name no source`() {
        expectNone((SourceTree.sources + SourceTree.pageFiles).flatMap(SourceRules.sourceNames))
    }

    @Test func `a command is sent as a value and not by its name`() {
        expectNone((SourceTree.sources + SourceTree.tests).flatMap(CommandNameRule.complaints))
    }

    @Test func `no source file is too long`() {
        expectNone(SourceTree.sources.flatMap(SourceRules.length))
    }

    @Test func `no folder holds too many files`() {
        #expect(SourceTree.sourcePaths.contains("Sources/Web/WebRemote/page/index.html"))
        expectNone(SourceRules.crowds(among: SourceTree.sourcePaths))
    }

    @Test func `no file of the page is too long or too wide`() {
        expectNone(SourceTree.pageFiles.flatMap(PageRules.size))
        #expect(SourceTree.pageStyles.contains { $0.name == "base.css" })
        expectNone(SourceTree.pageStyles.flatMap(PageRules.width))
    }

    @Test func `the state of the page is kept by one module`() {
        expectNone(SourceTree.pageFiles.flatMap(PageRules.rootState))
    }

    @Test func `a module of the page imports only what the page serves`() {
        let modules = SourceTree.pageFiles + SourceTree.clientFiles, served = Set(modules.map(\.path))

        #expect(served.isSuperset(of: ["Sources/Web/WebRemote/page/shell/remote.js", "examples/browser/client/baton-core.js"]))
        expectNone(modules.flatMap { PageRules.missingModules(in: $0, served: served) })
    }

    @Test func `every source file says what it is for`() {
        expectNone(SourceTree.sources.flatMap(SourceRules.opening))
    }

    @Test func `comments name their subjects`() {
        expectNone(SourceTree.sources.flatMap(SourceRules.wording))
    }

    @Test func `of a hundred comments at most one begins without its noun`() {
        let openers = CommentOpeners(in: SourceTree.sources)

        #expect(openers.paragraphs > 1_000)
        #expect(openers.percent <= 1, "\(openers.found.joined(separator: "\n"))")
    }

    @Test func `the README fits on two screens`() throws {
        let readme = try #require(SourceTree.documents.first { $0.path == "README.md" })
        #expect(readme.lines.count <= 121, "README.md has \(readme.lines.count) lines: details belong in GUIDE.md.")
    }

    @Test func `every link in a document leads somewhere`() {
        expectNone(SourceTree.documents.flatMap { SourceRules.brokenLinks(in: $0, exists: SourceTree.exists) })
    }

    @Test(arguments: ["LICENSE", "README.md", "GUIDE.md", "CONTRIBUTING.md", "CHANGELOG.md", ".swift-format"])
    func `the files that every project has are there`(file: String) {
        #expect(SourceTree.exists(file), "\(file) is missing from the root.")
    }

    @Test(arguments: ["deploy/run", "deploy/test", "deploy/bench", "deploy/package", "deploy/packages", ".ci/run"])
    func `a command of the project can be run and reads as bash`(script: String) throws {
        let path = SourceTree.root.appending(path: script).path
        #expect(FileManager.default.isExecutableFile(atPath: path), "\(script) is not executable.")

        let bash = try Outcome.of(["bash", "-n", path])
        #expect(bash.code == 0, "bash cannot read \(script): \(bash.err)")
    }

    @Test func `every module of the tree has a line in the table, and every line a module`() {
        let modules = Set(SourceTree.sources.map(\.module))

        #expect(modules == Set(ModuleRules.kinds.keys))
    }

    private func expectNone(_ complaints: [String], sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(complaints.isEmpty, "\(complaints.joined(separator: "\n"))", sourceLocation: sourceLocation)
    }
}
