import BatonProtocol
import Foundation
import Testing

/// The page in a real browser, clicked as a person would, against a hub that plays its own album.
extension EndToEnd {
    @Suite(.enabled(if: Workshop.has("chromium", "chromedriver"), "chromium is not installed")) struct PageTests {
        /// Where the screenshots stay after the tests.
        static let screenshots = Workshop.root.appending(path: ".build/screenshots")

        @Test func `the page shows, plays, skips and turns up, and its picture is kept`() async throws {
            try await Home.with { home in
                try await HubProcess.with(["--demo"], in: home) { hub in
                    try await hub.reaches("the album") { $0.length == 3 }
                    let page = try await home.run(
                        "/usr/bin/python3", [Workshop.support.appending(path: "page.py").path, hub.page, Self.screenshots.path],
                        within: .seconds(90))
                    try #require(page.code == 0, "\(page.err)")

                    let seen = try JSON.parse(Array(page.out.utf8))
                    #expect(seen["title"]?.string == "First Light" && seen["next"]?.string == "Stairs")
                    let louder = try #require(seen["louder"]?.int)
                    let status = try await hub.reaches("paused, as the page was told last") { $0.state == "paused" }
                    #expect(status.level == louder && status.level > 30 && status.title == "Stairs")
                    for picture in seen["screenshots"]?.array ?? [] {
                        let bytes = try Data(contentsOf: URL(filePath: picture.string ?? ""))
                        #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) && bytes.count > 1000)
                    }
                }
            }
        }
    }
}
