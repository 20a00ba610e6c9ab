import BatonCore
import BatonSeams
import Foundation
import Testing

@testable import BatonLibrary

/// Which folders the library may have, by real paths.
@Suite struct LibraryBoundsTests {
    private func refusal(_ path: String, _ trust: Trust) throws -> String? {
        try withFolders { bounds, root in
            let real = path.replacing("ROOT", with: root)
            do throws(SourceFault) {
                try bounds.check(RealPath.of(real) ?? real, as: real, trust)
                return nil
            } catch {
                #expect(error.code == .forbidden)
                return error.sentence
            }
        }
    }

    /// `ROOT/roots/in`, `ROOT/roots/link` to `ROOT/out`, and `ROOT/out/data`, where the hub keeps its own.
    private func withFolders<Result>(_ body: (LibraryBounds, String) throws -> Result) throws -> Result {
        try withMusicFolders(["roots/in", "out/data/keys", "roots2"], link: ("roots/link", "out")) { root in
            try body(LibraryBounds(roots: [root + "/roots"], data: [root + "/out/data"]), root)
        }
    }

    @Test(arguments: ["ROOT/roots", "ROOT/roots/in", "ROOT/roots/in/../in"])
    func `below the roots anybody may add who may add at all`(path: String) throws {
        #expect(try refusal(path, .musicFolders) == nil)
        #expect(try refusal(path, .anyPath) == nil)
    }

    @Test(arguments: ["/", "/etc", "ROOT", "ROOT/out", "ROOT/roots2", "ROOT/roots/link", "ROOT/roots/../out"])
    func `BT-LIB-015 elsewhere only a program on the hub's machine may`(path: String) throws {
        let sentence = try #require(try refusal(path, .musicFolders))
        #expect(sentence.contains("library_roots") && sentence.contains("/roots"))
        #expect(try refusal(path, .anyPath) == nil)
    }

    @Test(arguments: ["ROOT/out/data", "ROOT/out/data/keys", "ROOT/roots/link/data", "/proc", "/proc/self/fd", "/sys/kernel", "/dev"])
    func `the hub's own data and the system's folders are for nobody`(path: String) throws {
        for trust in [Trust.musicFolders, .anyPath] {
            #expect(try refusal(path, trust)?.contains("cannot be a folder of the library") == true)
        }
    }

    @Test func `a root that holds the hub's data cannot itself be added from elsewhere`() throws {
        try withFolders { bounds, root in
            var bounds = bounds
            bounds.roots = [root]
            #expect(throws: SourceFault.self) { try bounds.check(root, as: root, .musicFolders) }
            #expect(throws: SourceFault.self) { try bounds.check(root + "/out", as: root, .musicFolders) }
            try bounds.check(root + "/roots2", as: root, .musicFolders)
            // It may be looked into, and the data may not.
            try bounds.check(root, as: root, .musicFolders, isToAdd: false)
            #expect(throws: SourceFault.self) { try bounds.check(root + "/out/data", as: root, .musicFolders, isToAdd: false) }
        }
    }
}

/// A folder with these folders and one link in it, by its real path.
private func withMusicFolders<Result>(
    _ folders: [String], link: (path: String, target: String), _ body: (String) throws -> Result
) throws -> Result {
    let made = NSTemporaryDirectory() + "baton-bounds-\(UUID().uuidString)"
    for folder in folders { try FileManager.default.createDirectory(atPath: "\(made)/\(folder)", withIntermediateDirectories: true) }
    try FileManager.default.createSymbolicLink(atPath: "\(made)/\(link.path)", withDestinationPath: "\(made)/\(link.target)")
    defer { try? FileManager.default.removeItem(atPath: made) }
    return try body(RealPath.of(made) ?? made)
}
