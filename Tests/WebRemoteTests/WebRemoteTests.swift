import Foundation
import Testing

@testable import PageEmbedder
@testable import WebRemote

@Suite struct `The page in the hub` {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    static let folder = root.appending(path: "Sources/Web/WebRemote/page")
    /// Where each file lies, by the name under which it is served; those of languages are served as `lang-….json`.
    static let paths = Dictionary(uniqueKeysWithValues: files(in: folder).map { (Page.name(of: "page/\($0)"), folder.appending(path: $0)) })
        .merging(client) { $1 }
    /// The modules of the client, of which the page takes all but the one that puts them together.
    private static let clientFolder = root.appending(path: "examples/browser/client")
    private static let client = Dictionary(
        uniqueKeysWithValues: files(in: clientFolder).filter { $0 != "baton-whole.js" }.map { ($0, clientFolder.appending(path: $0)) })
    static let languages = files(in: folder.appending(path: "lang"))
    /// Files of the sheet of all parts: in debug builds, as these tests are, and in no list of files.
    private static let design = Set(paths.filter { Page.isOfDesign($0.value.path) }.keys)
    /// What the folder is served as.
    static let served = (Array(paths.keys) + Array(Page.joined.keys)).sorted()

    private static func files(in folder: URL) -> [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []).filter { $0.contains(".") }.sorted()
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: try #require(Self.paths[name], "There is no file for \(name).")))
    }

    private func text(_ name: String) throws -> String {
        if let parts = Page.joined[name] { return try parts.map(text).joined(separator: "\n") }
        return try PageFile(name: name, text: String(decoding: bytes(name), as: UTF8.self)).served()
            .replacing("/page/@/", with: "/page/\(WebRemote.version)/").replacing("@version", with: WebRemote.version)
            .replacing("@files", with: Self.fileNames)
            .replacing("@languages", with: Self.languages.map { $0.replacing(".json", with: "") }.joined(separator: " "))
            .replacing("@texts", with: try Self.countOfTexts()).replacing("@modules", with: Self.modules(/'(remote\.js [^']*)'/))
            .replacing("@home", with: Self.modules(/'(library\.js [^']*)'/))
    }

    /// As the embedder says them in the file that asks for them; which they are is checked where it is found out.
    private static func modules(_ names: Regex<(Substring, Substring)>) -> String {
        let first = WebRemote.file(at: "/page/\(WebRemote.version)/first.js").map { String(decoding: $0.bytes, as: UTF8.self) }
        return first?.firstMatch(of: names).map { String($0.1) } ?? ""
    }

    /// The keys of the English file, as a reader of JSON counts them.
    private static func countOfTexts() throws -> String {
        let english = try Data(contentsOf: folder.appending(path: "lang/en.json"))
        return "\((try JSONSerialization.jsonObject(with: english) as? [String: Any])?.count ?? 0)"
    }

    /// Texts before pictures, as the embedder lists them.
    private static var fileNames: String {
        let listed = served.filter { !design.contains($0) }
        return (listed.filter { !$0.hasSuffix(".png") } + listed.filter { $0.hasSuffix(".png") }).joined(separator: " ")
    }

    @Test func `each file of the folder is in the binary as it is now, and nothing else`() throws {
        #expect(Self.paths.count > 30)
        #expect((WebRemote.embedded + WebRemote.design).map(\.name).sorted() == Self.served)
        #expect(Set(WebRemote.design.map(\.name)) == Self.design && !Self.design.isEmpty)

        for name in Self.served {
            let file = try #require(WebRemote.file(at: "/page/\(WebRemote.version)/\(name)"))
            let expected = name.hasSuffix(".png") ? try bytes(name) : Array(try text(name).utf8)
            #expect(file.bytes == expected, "\(name)")
            #expect(file.isForever && file.policy == nil)
        }
    }

    @Test(arguments: [
        ("index.html", "text/html; charset=utf-8"), ("baton-core.js", "text/javascript; charset=utf-8"),
        ("library.css", "text/css; charset=utf-8"),
        ("icon.svg", "image/svg+xml"), ("manifest.json", "application/manifest+json"), ("lang-en.json", "application/json"),
        ("remote.css", "text/css; charset=utf-8"),
    ])
    func `a file has the content type of its ending`(name: String, type: String) {
        #expect(WebRemote.file(at: "/page/\(WebRemote.version)/\(name)")?.type == type)
    }

    @Test(arguments: [
        ("/", "index.html"), ("/now", "now.html"), ("/manifest.json", "manifest.json"), ("/sw.js", "sw.js"), ("/design", "design.html"),
    ])
    func `a document names the others by the fingerprint, and says what it may do`(path: String, name: String) throws {
        let document = try #require(WebRemote.file(at: path))

        #expect(String(decoding: document.bytes, as: UTF8.self) == (try text(name)))
        #expect(!document.isForever)
        #expect(document.policy?.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'") == true)
    }

    @Test func `an address with another fingerprint gets no module of now, but a picture`() {
        #expect(WebRemote.file(at: "/page/older/remote.js") == nil)
        #expect(WebRemote.file(at: "/page/older/icon.svg")?.isForever == false)
    }

    @Test(arguments: ["/page", "/page/remote.js", "/page/x/none.js", "/page/x/y/remote.js", "/elsewhere/x/remote.js", "", "/index.html"])
    func `there is nothing at other paths`(path: String) {
        #expect(WebRemote.file(at: path) == nil)
    }
}
