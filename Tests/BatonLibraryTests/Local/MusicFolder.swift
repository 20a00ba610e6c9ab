/// A music folder of its own for each test, with names but no sound.
import BatonCore
import BatonSeams
import Disk
import Foundation

@testable import BatonLibrary

struct MusicFolder {
    /// Real paths: the temporary folder may itself be behind a symlink.
    let root: String
    var music: String { root + "/music" }
    var outside: String { root + "/outside" }
    var library: LocalLibrary { LocalLibrary(folders: [music], disk: Disk()) }

    /// What is played of a file below the music folder, as it is now.
    func playable(_ path: String, startMs: Milliseconds? = nil) throws -> Playable {
        let path = music + "/" + path
        return Playable(.file(NamedFile(path, try Disk().open(path, below: [music]))), startMs: startMs)
    }

    func file(_ path: String, _ text: some DataProtocol = Data()) throws {
        let url = URL(fileURLWithPath: root + "/" + path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text).write(to: url)
    }

    func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: root + "/" + path, withDestinationPath: target)
    }

    func expand(_ text: String, trust: Trust = .musicFolders) async throws -> [NewEntry] {
        try await library.expand(ItemURI(text), trust: trust)
    }

    /// The paths below the root that come out.
    func paths(_ text: String, trust: Trust = .musicFolders) async throws -> [String] {
        try await expand(text, trust: trust).map { try FileURI.path(of: $0.uri) }.map {
            $0.hasPrefix(root + "/") ? String($0.dropFirst(root.count + 1)) : $0
        }
    }

    func fault(_ text: String, trust: Trust = .musicFolders) async -> SourceFault? {
        do {
            _ = try await expand(text, trust: trust)
            return nil
        } catch {
            return error as? SourceFault
        }
    }
}

func withMusic<Result>(_ body: (MusicFolder) async throws -> Result) async throws -> Result {
    let root = NSTemporaryDirectory() + "baton-library-\(UUID().uuidString)"
    for name in ["music", "outside"] {
        try FileManager.default.createDirectory(atPath: root + "/" + name, withIntermediateDirectories: true)
    }
    defer { try? FileManager.default.removeItem(atPath: root) }
    return try await body(MusicFolder(root: RealPath.of(root) ?? root))
}
