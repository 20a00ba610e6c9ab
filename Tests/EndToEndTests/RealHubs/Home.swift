import Foundation
import Harness

/// A home of its own for a hub and its satellites, in a temporary folder: nothing on this machine is
/// read from or written to outside of it, and no bus, sound server or hub outside can be reached.
final class Home: Sendable {
    let folder: URL
    let music: URL
    /// Everything that is started here is started through these words.
    private let wrapper: [String]

    private init(folder: URL, wrapper: [String]) {
        self.folder = folder
        self.wrapper = wrapper
        music = folder.appending(path: "music")
    }

    static func with<Result>(through wrapper: [String] = [], _ body: (Home) async throws -> Result) async throws -> Result {
        // Short, because the path of a socket is.
        let home = Home(folder: URL(filePath: "/tmp/baton-\(getpid())-\(UInt32.random(in: 0...999_999))"), wrapper: wrapper)
        for name in ["run", "state", "config", "logs", "music"] {
            try FileManager.default.createDirectory(at: home.folder.appending(path: name), withIntermediateDirectories: true)
        }
        defer { try? FileManager.default.removeItem(at: home.folder) }
        return try await body(home)
    }

    var logs: URL { folder.appending(path: "logs") }
    var data: URL { folder.appending(path: "state/baton") }
    var socket: URL { folder.appending(path: "run/baton/hub.sock") }

    var environment: [String: String] {
        [
            "HOME": folder.path, "XDG_RUNTIME_DIR": folder.appending(path: "run").path,
            "XDG_STATE_HOME": folder.appending(path: "state").path,
            "XDG_CONFIG_HOME": folder.appending(path: "config").path, "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C.UTF-8",
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder.path)/no-bus", "PULSE_SERVER": "unix:\(folder.path)/no-pulse",
            "PULSE_COOKIE": "\(folder.path)/cookie", "ALSA_CONFIG_PATH": "/dev/null",
            // A hub on a busy machine may take long to answer.
            "BATON_TIMEOUT": "30",
        ]
    }

    // MARK: Programs

    func start(_ program: String, _ arguments: [String], environment extra: [String: String] = [:]) throws -> Running {
        let words = wrapper + [program.hasPrefix("/") ? program : TestMachine.binary(program)] + arguments
        return try Running(words[0], Array(words.dropFirst()), environment: environment.merging(extra) { $1 }, logs: logs)
    }

    @discardableResult
    func run(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], within limit: Duration = .seconds(60)
    ) async throws -> Ended {
        try await start(program, arguments, environment: environment).ended(within: limit)
    }

    /// The satellite, with its words as a person types them.
    @discardableResult
    func baton(_ words: String..., environment: [String: String] = [:]) async throws -> Ended {
        try await run("baton", words, environment: environment)
    }

    // MARK: Files

    func write(_ text: String, to name: String) throws -> String {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    /// An album of tones, a minute each, in the music folder: three formats, each with its tags.
    func makeAlbum() async throws -> [String] {
        try await makeTones([
            Tone("album/01 - First.flac", title: "First Light", hertz: 440),
            Tone("album/02 - Second.mp3", title: "Second Wind", hertz: 550),
            Tone("album/10 - Third.ogg", title: "Third Rail", hertz: 660),
        ])
    }

    struct Tone {
        let name: String
        let title: String
        let hertz: Int
        let seconds: Double

        init(_ name: String, title: String, hertz: Int = 440, seconds: Double = 60) {
            self.name = name
            self.title = title
            self.hertz = hertz
            self.seconds = seconds
        }
    }

    /// In the folder of music, which the hub scans, or in another one below the home.
    func makeTones(_ tones: [Tone], in place: String = "music") async throws -> [String] {
        try tones.map { tone in
            let file = folder.appending(path: place).appending(path: tone.name)
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            let sine = "sine=frequency=\(tone.hertz):sample_rate=44100:duration=\(tone.seconds)"
            let tags = ["title=\(tone.title)", "artist=The Tones", "album=Sines"].flatMap { ["-metadata", $0] }
            try Fixture.make(["ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-f", "lavfi", "-i", sine] + tags, at: file.path)
            return file.path
        }
    }
}
