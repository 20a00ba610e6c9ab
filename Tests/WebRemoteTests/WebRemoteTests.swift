import Foundation
import Testing

@testable import PageEmbedder
@testable import WebRemote

@Suite struct `The page in the hub` {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    static let folder = root.appending(path: "Sources/Web/WebRemote/page")
    static let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? []

    private func served(_ name: String) throws -> String {
        let path = name == "baton.js" ? Self.root.appending(path: "examples/browser/baton.js") : Self.folder.appending(path: name)
        return try PageFile(name: name, text: String(contentsOf: path, encoding: .utf8)).served()
    }

    @Test func `each file of the folder is in the binary as it is now, and nothing else`() throws {
        #expect(Self.names.count > 30)
        #expect(WebRemote.embedded.map(\.name) == (Self.names + ["baton.js"]).sorted())

        for name in Self.names + ["baton.js"] {
            let file = try #require(WebRemote.file(at: "/page/\(WebRemote.version)/\(name)"))
            #expect(String(decoding: file.bytes, as: UTF8.self) == (try served(name)), "\(name)")
            #expect(file.isForever && file.policy == nil)
        }
    }

    @Test(arguments: [
        ("index.html", "text/html; charset=utf-8"), ("baton.js", "text/javascript; charset=utf-8"), ("base.css", "text/css; charset=utf-8"),
        ("icon.svg", "image/svg+xml"), ("manifest.json", "application/manifest+json"), ("remote.css", "text/css; charset=utf-8"),
    ])
    func `a file has the content type of its ending`(name: String, type: String) {
        #expect(WebRemote.file(at: "/page/\(WebRemote.version)/\(name)")?.type == type)
    }

    @Test(arguments: [("/", "index.html"), ("/now", "now.html"), ("/manifest.json", "manifest.json"), ("/sw.js", "sw.js")])
    func `a document names the others by the fingerprint, and says what it may do`(path: String, name: String) throws {
        let document = try #require(WebRemote.file(at: path))

        let expected = try served(name).replacing("/page/@/", with: "/page/\(WebRemote.version)/")
        #expect(String(decoding: document.bytes, as: UTF8.self) == expected)
        #expect(!document.isForever)
        #expect(document.policy?.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'") == true)
    }

    @Test func `the styles of the remote are one file, in their order`() throws {
        let styles = try ["base.css", "shapes.css", "themes.css"].map(served).joined(separator: "\n")
        let file = try #require(WebRemote.file(at: "/page/\(WebRemote.version)/remote.css"))
        #expect(String(decoding: file.bytes, as: UTF8.self) == styles)
    }

    @Test func `an address with another fingerprint gets the file of now, and is asked for again`() {
        #expect(WebRemote.file(at: "/page/older/remote.js")?.isForever == false)
    }

    @Test(arguments: ["/page", "/page/remote.js", "/page/x/none.js", "/page/x/y/remote.js", "/elsewhere/x/remote.js", "", "/index.html"])
    func `there is nothing at other paths`(path: String) {
        #expect(WebRemote.file(at: path) == nil)
    }
}
