import Foundation
import Testing

@Suite struct `What the page knows of keeping in step` {
    /// `Protocol/vectors/check.mjs` reads the vectors with that file.
    @Test func `is what the vectors are read with`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")

        let page = try String(contentsOf: root.appending(path: "Sources/Web/WebRemote/page/listening/instep.js"), encoding: .utf8)

        #expect(try String(contentsOf: root.appending(path: "Protocol/vectors/in_step.mjs"), encoding: .utf8) == page)
    }
}
