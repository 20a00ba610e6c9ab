import BatonProtocol
import Testing

/// The rules themselves, on invented files: each finds what it is there to find and nothing else.
@Suite struct RuleTests {
    private func file(_ path: String, _ text: String) -> SourceFile { SourceFile(path: "Sources/Layer/\(path)", text: text) }

    @Test(arguments: [
        ("BatonCore", "Glibc"), ("BatonCore", "BatonProtocol"), ("BatonProtocol", "BatonSeams"), ("BatonClient", "BatonSeams"),
        ("Stores", "Media"), ("Stores", "CSQLite"),
        ("BatonSeams", "BatonClient"), ("Player", "EventLoop"), ("SocketServer", "WebClient"), ("EventLoop", "SocketServer"),
        ("Player", "CSQLite"), ("Stores", "BatonHub"), ("ServerConnectors", "Player"), ("ServerConnectors", "MusicWorkers"),
        ("BatonHub", "SocketServer"), ("BatonHub", "ServerConnectors"), ("BatonHub", "Companion"), ("Companion", "BatonHub"),
        ("Companion", "SocketServer"),
        ("BatonHub", "WebRemote"), ("BatonHub", "Synchronization"), ("batond", "CMPV"),
        ("baton", "Foundation"),
        ("SocketServer", "FoundationEssentials"), ("Unheard", "BatonCore"), ("Stores", "Vapor"),
        ("BatonProtocol", "BatonWire"), ("BatonSeams", "BatonWire"), ("Player", "BatonWire"),
    ])
    func `an arrow that turns round is named in a sentence`(module: String, imported: String) {
        let complaints = ModuleRules.complaints(about: file("\(module)/A.swift", "/// A.\npackage import \(imported)\n"))

        #expect(complaints.count == 1)
        #expect(complaints.allSatisfy { $0.contains("Sources/Layer/\(module)/A.swift") && $0.hasSuffix(".") })
    }

    @Test(arguments: [
        ("BatonProtocol", "BatonCore"), ("BatonWire", "BatonProtocol"), ("BatonClient", "BatonWire"), ("BatonSeams", "Synchronization"),
        ("WebClient", "CWebSockets"),
        ("WebClient", "BatonClient"), ("SocketServer", "EventLoop"), ("Player", "BatonSeams"), ("Player", "Threads"),
        ("Stores", "SQLite"), ("BatonHub", "BatonSeams"), ("batond", "BatonHub"), ("batond", "Companion"), ("Companion", "BatonSeams"),
        ("Companion", "WebRemote"), ("baton", "Discovery"),
    ])
    func `an arrow that points down is fine`(module: String, imported: String) {
        #expect(ModuleRules.complaints(about: file("\(module)/A.swift", "import \(imported)\n")).isEmpty)
    }

    @Test func `an import is read through attributes and access, and not out of comments or strings`() {
        let text = """
            // import Wrong
            /* import Wrong /* import Wrong */ import Wrong */
            @testable import One
            @preconcurrency package import Two
            import struct Three.Thing
            let text = "import Wrong \\(interpolated("import Wrong"))"
            let raw = #"import "Wrong"#
            """

        #expect(file("BatonCore/A.swift", text).imports == ["One", "Two", "Three"])
    }

    @Test func `a connector in the module of its feature keeps to the rules of connectors`() {
        let place = "Sources/Features/Library/BatonLibrary"
        let connector = { SourceFile(path: "\(place)/Local/A.swift", text: $0) }
        let feature = { SourceFile(path: "\(place)/B.swift", text: $0) }

        #expect(ModuleRules.complaints(about: connector("import BatonKernel\n")).count == 1)
        #expect(ModuleRules.complaints(about: feature("import BatonKernel\n")).isEmpty)
        let scan = connector("struct Scan {}\n"), service = feature("final class Service {}\n")
        #expect(PartRules.complaints(about: [scan, service]).isEmpty)
        #expect(PartRules.complaints(about: [scan, feature("let scan: Scan\n")]).count == 1)
        #expect(PartRules.complaints(about: [connector("let service: Service? = nil\n"), service]).count == 1)
        let server = SourceFile(path: "Sources/Features/Servers/ServerConnectors/Sappho/A.swift", text: "struct Book {}\n")
        let other = SourceFile(path: "Sources/Features/Servers/ServerConnectors/Subsonic/B.swift", text: "let book: Book? = nil\n")
        #expect(PartRules.complaints(about: [server, other]).count == 1)
        #expect(PartRules.complaints(about: [scan, feature("// Scan\nlet text = \"Scan\", other = Other.Scan()\n")]).isEmpty)
    }

    @Test func `a folder that bears the name of a layer or a module is found`() {
        let fine = ["Sources/Platform/Disk/A.swift", "Sources/Features/Radio/BatonRadio/Stations/A.swift"]

        #expect(FolderNames.complaints(about: fine).isEmpty)
        for path in ["Sources/Core/BatonCore/Platform/A.swift", "Sources/Core/BatonCore/Disk/A.swift", "Sources/Tests/A.swift"] {
            #expect(FolderNames.complaints(about: fine + [path]).count == 1, "\(path)")
        }
    }

    @Test func `a lock outside the edges is found, in words only it is not`() {
        let text = "/// A Mutex is not used.\nlet state = Mutex(0)\n"

        #expect(SourceRules.locks(in: file("BatonHub/A.swift", text)).count == 1)
        #expect(SourceRules.locks(in: file("Stores/A.swift", text)).isEmpty)
        #expect(SourceRules.locks(in: file("BatonSeams/JobQueue.swift", text)).isEmpty)
    }

    @Test(arguments: ["print(name)", "fputs(name, stdout)", "Output.verbatim(name)", "if isNew { Output.draw(name) }"])
    func `text that a terminal would obey is found`(line: String) {
        let found = SourceRules.terminalWrites(in: SourceFile(path: "Sources/Programs/baton/Verbs/A.swift", text: line))
        #expect(found.count == 1)
    }

    @Test(arguments: [
        "Task { await go() }", "    Task.detached { go() }", "_ = Task { go() }", "Task(priority: .low) { go() }",
        "if a == b { Task { go() } }",
        "onEvent = { event in Task { await go(event) } }", "_ = Task.immediate { go() }",
    ])
    func `a task without an owner is found`(line: String) {
        #expect(SourceRules.looseTasks(in: file("BatonHub/A.swift", line)).count == 1)
    }

    @Test(arguments: [
        "ticking = Task { await tick() }", "let running = Task(executorPreference: loop) { go() }", "tasks.append(Task { go() })",
        "return Task { go() }",
        "running[id] = Task.detached { go() }", "let done: Task<Void, Never> = Task { go() }", "let timerTask: Task<Void, Never>?",
        "// Task { }",
        "group.addTask { go() }", "withTaskGroup { }",
    ])
    func `a task that is kept is fine`(line: String) {
        #expect(SourceRules.looseTasks(in: file("BatonHub/A.swift", line)).isEmpty)
    }

    @Test(arguments: [
        "    unowned let hub: Hub", "    var commands: Commands!", "let first = list.first!", "let all = try! load()", "f(a!, b)",
    ])
    func `a reference that may be missing is found in the hub`(line: String) {
        #expect(SourceRules.unsafeReferences(in: file("BatonHub/A.swift", line)).count == 1)
        #expect(SourceRules.unsafeReferences(in: file("Player/A.swift", line)).isEmpty)
    }

    @Test(arguments: ["guard a != b else { return }", "if !isReady { a = !b }", "    weak var hub: Hub?", "a && !b"])
    func `a comparison and a negation are no such reference`(line: String) {
        #expect(SourceRules.unsafeReferences(in: file("BatonHub/A.swift", line)).isEmpty)
    }

    private func settable(_ text: String) -> [String] {
        SettableClosures.complaints(about: [SourceFile(path: "Sources/Assembly/BatonHub/A.swift", text: text)])
    }

    @Test(arguments: [
        "    var a: () -> Void", "private(set) var a: (@Loop (Int) -> Void)?", "var a: [Int: (String) -> String] = [:]",
        "var a:\n    @Loop (Int) throws(Fault)\n    -> Void = { _ in }", "var a: () -> Void {\n    didSet { show() }\n}",
        "var a = { show() }",
        "enum B {\n    typealias Run =\n        () -> Void\n}\nvar a: B.Run?",
        "enum B {\n    typealias Run = () -> Void\n    var a: [Run]\n}",
    ])
    func `a closure that can be set later is found`(text: String) {
        #expect(settable(text).count == 1, "\(text)")
    }

    @Test(arguments: [
        "let a: () -> Void", "var a: () -> Void { b }", "var a: () -> Void { get }", "// var a: () -> Void",
        "var a: Int\nlet b: () -> Void",
        "var a: Int = b { c -> Int in c }", "var a: [Int] { b.map { c -> Int in c } }", "var a: Task<Int, Never>?",
        "enum B {\n    typealias Run = () -> Void\n}\nvar a: D.Run?",
    ])
    func `what cannot be set, or is no closure, is fine`(text: String) {
        #expect(settable(text).isEmpty, "\(text)")
    }

    @Test func `the name of a source is found in the hub, in programs and in the page, and nowhere else`() {
        let text = "let uri = ItemURI(\"lib:shelf/tracks\")\n// \"lib:track/1\"\nlet said = \"1 file: x\"\n"

        for path in ["Sources/Assembly/BatonHub/A.swift", "Sources/Programs/baton/A.swift", "Sources/Web/WebRemote/page/a.js"] {
            #expect(SourceRules.sourceNames(in: SourceFile(path: path, text: text)).count == 1)
        }
        #expect(SourceRules.sourceNames(in: SourceFile(path: "Sources/Features/Library/BatonLibrary/Local/A.swift", text: text)).isEmpty)
    }

    @Test(arguments: [
        ##"hub.command("\##(CommandKind.volumeSet.rawValue)", ["level": 3])"##, ##"case "\##(CommandKind.queueAdd.rawValue)": add()"##,
        ##"let frame = #"{"t":"cmd","id":1,"m":"\##(CommandKind.hubInfo.rawValue)"}"#"##,
        ##"try await hub.command("\##(CommandKind.next.rawValue)")"##, ##"Press("\##(CommandKind.seekBy.rawValue)", atUs: 1)"##,
        ##"sent.count { $0.method == "\##(CommandKind.next.rawValue)" }"##,
        ##"let text = #"{"m":"\##(CommandKind.pause.rawValue)"}"#"##,
    ])
    func `a command that is named in a string is found`(line: String) {
        #expect(CommandNameRule.complaints(about: file("baton/A.swift", line)).count == 1, "\(line)")
        #expect(CommandNameRule.complaints(about: SourceFile(path: "Tests/ATests/A.swift", text: line)).count == 1)
        #expect(CommandNameRule.complaints(about: SourceFile(path: "Tests/BatonProtocolTests/A.swift", text: line)).isEmpty)
    }

    @Test(arguments: [
        "hub.send(Commands.VolumeSet(3))", ##"try await baton("\##(CommandKind.next.rawValue)")"##,
        ##"let state = "\##(CommandKind.stop.rawValue)""##, ##"// The wire calls it "\##(CommandKind.volumeSet.rawValue)"."##,
        ##"connection.send("\##(CommandKind.hubInfo.rawValue) is no command")"##,
        ##"remote.sendText(#"{"t":"cmd","id":1,"m":"\##(CommandKind.volumeSet.rawValue)","p":{"level":"loud"}}"#)"##,
    ])
    func `types, words of the command line and texts with something wrong are fine`(line: String) {
        #expect(CommandNameRule.complaints(about: file("baton/A.swift", line)).isEmpty, "\(line)")
    }

    @Test func `a file of 400 lines is fine and one of 401 is not`() {
        let line = "// A line.\n"

        #expect(SourceRules.length(of: file("BatonHub/A.swift", String(repeating: line, count: 400))).isEmpty)
        #expect(SourceRules.length(of: file("BatonHub/A.swift", String(repeating: line, count: 401))).count == 1)
    }

    @Test func `a file must open with a comment or an import and say what it is for`() {
        #expect(SourceRules.opening(of: file("BatonHub/A.swift", "/// Says it.\nstruct A {}\n")).isEmpty)
        #expect(SourceRules.opening(of: file("BatonHub/A.swift", "package import BatonCore\n\n/// Says it.\nstruct A {}\n")).isEmpty)
        #expect(SourceRules.opening(of: file("BatonHub/A.swift", "import BatonCore\n\nstruct A {}\n")).count == 1)
        #expect(SourceRules.opening(of: file("BatonHub/A.swift", "struct A {}\n/// Late.\n")).count == 1)
        let imports = String(repeating: "import BatonCore\n", count: 20)
        #expect(SourceRules.opening(of: file("BatonHub/A.swift", imports + "\n/// Says it.\nstruct A {}\n")).isEmpty)
        #expect(SourceRules.opening(of: file("BatonHub/A.swift", "")).count == 2)
    }

    @Test(arguments: ["// Nobody waits here.", "let a = 1  // for whoever asks", "/// A house."])
    func `a comment without a subject is found`(line: String) {
        #expect(SourceRules.wording(of: file("QRCode/A.swift", line)).count == 1)
    }

    @Test(arguments: ["// The wire calls it `house`.", "let text = \"nobody://house\"", "let house = 1"])
    func `code and names in backquotes are no comment`(line: String) {
        #expect(SourceRules.wording(of: file("QRCode/A.swift", line)).isEmpty)
    }

    @Test(arguments: [
        "/// What is not sent yet.", "// Who asks for so many bits.", "/// The same, later.", "/// As it was.\n/// It goes on.",
    ])
    func `a comment that begins without its noun is counted once`(text: String) {
        let openers = CommentOpeners(in: [file("QRCode/A.swift", text)])
        #expect(openers.found.count == 1)
        #expect(openers.percent == 100)
    }

    @Test(arguments: [
        "/// Bytes that wait.\n/// What follows is no new paragraph.", "// What if it fails?", "let a = \"// What is it\"", "/// - one",
    ])
    func `a comment that begins with its noun is counted as such`(text: String) {
        #expect(CommentOpeners(in: [file("QRCode/A.swift", text)]).found.isEmpty)
    }

    @Test func `a link that leads nowhere is found, outside code and inside the project`() {
        let text = """
            [there](../README.md#tour) [gone](gone.md) [web](https://example.org/gone.md) [here](#tour)
            ```
            [code](gone.md)
            ```
            """
        let document = SourceFile(path: "Tests/notes.md", text: text)

        let complaints = SourceRules.brokenLinks(in: document) { $0 == "README.md" }

        #expect(complaints == ["Tests/notes.md links to gone.md, and there is no Tests/gone.md."])
    }

    @Test func `a folder holds at most 25 files, those of its own folders not counted`() {
        let files = (1...25).map { "Sources/Assembly/A\($0).swift" }

        #expect(SourceRules.crowds(among: files + ["Sources/Assembly/Deep/A.swift"]).isEmpty)
        #expect(SourceRules.crowds(among: files + ["Sources/Assembly/B.css"]).count == 1)
    }

    @Test func `a file of the page has at most 200 lines of 120 columns`() {
        let path = "Sources/Web/WebRemote/page/deck.js", line = String(repeating: "a", count: 120) + "\n"

        #expect(PageRules.size(of: SourceFile(path: path, text: String(repeating: line, count: 200))).isEmpty)
        #expect(PageRules.size(of: SourceFile(path: path, text: String(repeating: line, count: 201))).count == 1)
        #expect(PageRules.size(of: SourceFile(path: path, text: "a" + line)).count == 1)
        #expect(PageRules.width(of: SourceFile(path: "Sources/Web/WebRemote/page/base.css", text: line + "a" + line)).count == 1)
    }

    @Test(arguments: ["document.documentElement.classList.add('late');", "const { mood } = root.dataset;"])
    func `state on the root element is found, but not in the modules that keep it`(line: String) {
        let folder = "Sources/Web/WebRemote/page"

        #expect(PageRules.rootState(in: SourceFile(path: "\(folder)/deck.js", text: line)).count == 1)
        #expect(PageRules.rootState(in: SourceFile(path: "\(folder)/state.js", text: line)).isEmpty)
        #expect(PageRules.rootState(in: SourceFile(path: "\(folder)/deck.js", text: "root.dir = 'rtl'; row.classList.add('late')")).isEmpty)
    }

    @Test(arguments: ["import { Hub } from '../a/baton.js';", "const { Hub } = await import('../a/baton.js');", "import '../a/baton.js';"])
    func `an import of a module that the page does not serve is found`(line: String) {
        let file = SourceFile(path: "page/shell/connect.js", text: "import { t } from './translate.js';\n" + line)

        #expect(PageRules.missingModules(in: file, served: ["page/shell/translate.js", "page/shell/baton.js"]).count == 1)
        #expect(PageRules.missingModules(in: file, served: ["page/a/baton.js", "page/shell/translate.js"]).isEmpty)
    }
}
