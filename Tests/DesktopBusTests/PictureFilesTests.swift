import BatonCore
import Foundation
import Harness
import Testing

@testable import DesktopBus

/// Pictures as files for programs of a desktop.
@Suite struct PictureFilesTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 1, 2, 3]

    private func names(in folder: String) -> [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() }

    @Test func `a picture is a file of its user alone, with the ending of its format`() throws {
        let folder = try TemporaryFolder()
        let files = try #require(PictureFiles(environment: ["XDG_CACHE_HOME": folder.path], home: "/nowhere"))

        let url = try #require(files.store("../../etc/x", Self.png))

        let path = try #require(FileURL.path(of: url))
        #expect(path.hasPrefix(folder.path + "/baton/art/") && path.hasSuffix(".png"))
        #expect(FileManager.default.contents(atPath: path) == Data(Self.png))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(files.store("../../etc/x", Self.png) == url && names(in: folder.path + "/baton/art").count == 1)
    }

    @Test(arguments: [[], [0], Array("<svg>".utf8), Array("RIFF1234WAVE".utf8), [0xFF, 0xD8]] as [[UInt8]])
    func `what is no picture is not stored`(bytes: [UInt8]) throws {
        let folder = try TemporaryFolder()
        #expect(PictureFiles(folder: folder.path).store("a", bytes) == nil)
        #expect(names(in: folder.path).isEmpty)
    }

    @Test func `the oldest go when there are many`() throws {
        let folder = try TemporaryFolder()
        let files = PictureFiles(folder: folder.path, most: 3)
        let urls = try (0..<3).map { try #require(files.store("p\($0)", Self.png)) }
        for (number, url) in urls.enumerated() {
            let path = try #require(FileURL.path(of: url))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: Double(1_000 + number))], ofItemAtPath: path)
        }
        // One that is used again is young.
        #expect(files.store("p0", Self.png) == urls[0])

        let last = try #require(files.store("p3", Self.png))

        let left = Set(names(in: folder.path).map { FileURL.text(of: "\(folder.path)/\($0)") })
        #expect(left == [urls[0], urls[2], last])
    }

    @Test func `where nothing can be written there is no picture`() throws {
        #expect(PictureFiles(folder: "/proc/nothing/here").store("a", Self.png) == nil)
        #expect(PictureFiles(environment: [:], home: "") == nil)
    }
}
