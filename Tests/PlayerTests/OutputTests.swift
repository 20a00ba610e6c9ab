import BatonCore
import BatonSeams
import Foundation
import Harness
import Testing

@testable import Player

extension PlayingTests {
    @Suite struct Output {
        @Test(arguments: [0.125, 0.5, 1.0]) func `a gain is the amplitude that comes out`(gain: Double) async throws {
            let studio = try Studio()
            let file = try studio.sine("sine.flac", seconds: 1)
            let out = studio.file("out.raw")

            try await withPlayer(.pcm(out.path)) { room in
                room.player.setGain(gain)
                room.player.load(.file(file), as: q1, fromMs: 0, paused: false)
                try await room.wait { $0.contains(.ended(q1)) }
            }
            try studio.run(["sox", file.path, "-t", "raw", studio.file("in.raw").path])
            let ratio = loudness(try Data(contentsOf: out)) / loudness(try Data(contentsOf: studio.file("in.raw")))
            #expect(abs(ratio / gain - 1) < 0.005, "\(ratio)")
        }

        @Test func `a named pipe gets every sample, also of what comes after a stop`() async throws {
            let studio = try Studio()
            let file = try studio.sine("sine.flac", seconds: 1)
            try studio.run(["mkfifo", studio.file("pipe").path])
            let reader = try Child("/bin/cat", [studio.file("pipe").path], out: studio.file("out.raw").path)

            try await withPlayer(.pcm(studio.file("pipe").path)) { room in
                for entry in [q1, q2] {
                    room.player.load(.file(file), as: entry, fromMs: 0, paused: false)
                    try await room.wait { $0.contains(.ended(entry)) }
                }
            }
            #expect(reader.waitUntilExit() == 0)
            #expect(try Data(contentsOf: studio.file("out.raw")).count == 2 * 44100 * 4)
        }

        @Test func `a pipe without a reader does not keep the player from closing`() async throws {
            let studio = try Studio()
            let file = try studio.sine("sine.flac", seconds: 10)
            try studio.run(["mkfifo", studio.file("pipe").path])

            let end = open(studio.file("pipe").path, O_RDONLY | O_NONBLOCK)
            defer { close(end) }

            try await withPlayer(.pcm(studio.file("pipe").path)) { room in
                room.player.load(.file(file), as: q1, fromMs: 0, paused: false)
                // Until the pipe holds no more, so that libmpv waits.
                try await room.wait { _ in
                    var waiting: Int32 = 0
                    _ = ioctl(end, UInt(FIONREAD), &waiting)
                    return waiting >= 60_000
                }
            }
            try await libmpvGoes()
        }

        @Test func `a device that does not exist is said, and time goes on`() async throws {
            let studio = try Studio()
            let file = try studio.sine("sine.flac", seconds: 0.5)

            try await withPlayer(.device("alsa/nonesuch")) { room in
                room.player.load(.file(file), as: q1, fromMs: 0, paused: false)
                try await room.wait { $0.contains(.ended(q1)) }

                #expect(room.story == ["began q1", "ended q1"])
                #expect(room.troubles == ["The audio device “alsa/nonesuch” cannot be opened, so nothing is heard."])
            }
        }

        @Test func `the devices are listed without playing anything, and an unsafe output is none of them`() async throws {
            let studio = try Studio()
            let server = try SoundServer(studio)
            defer { server.stop() }

            let names = try await onLoop { await LibMPV.devices().map(\.name) }

            #expect(names.contains("pulse/room1"), "\(names)")
            let unsafe = ["pcm", "alsa/file", "alsa/tee", "auto"]
            #expect(!names.contains { name in unsafe.contains { name.hasPrefix($0) } }, "\(names)")
            try await libmpvGoes()
        }

        @Test func `a sound server that goes is said, and one that comes back is used again`() async throws {
            let studio = try Studio()
            let file = try studio.sine("sine.flac", seconds: 120)
            let server = try SoundServer(studio)

            try await withPlayer(.device("pulse/room1")) { room in
                room.player.load(.file(file), as: q1, fromMs: 0, paused: false)
                try await room.wait { _ in room.hasDevice("pulse/room1") && !room.lines.isEmpty }
                #expect(room.troubles == [])
                server.stop()
                try await room.wait { _ in room.troubles.count == 1 }
                try server.start()
                try await room.wait { _ in room.troubles.count == 2 }

                #expect(room.troubles == ["The audio device “pulse/room1” cannot be opened, so nothing is heard.", nil])
                #expect(room.story == ["began q1"])
            }
            server.stop()
        }
    }
}

extension Listening {
    var troubles: [String?] { reports.compactMap { if case .outputTrouble(let sentence) = $0 { .some(sentence) } else { nil } } }

    func hasDevice(_ name: String) -> Bool {
        reports.contains { if case .devices(let devices) = $0 { devices.contains { $0.name == name } } else { false } }
    }
}

/// The root mean square of 16 bit samples.
private func loudness(_ data: Data) -> Double {
    let samples = data.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    return (samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(1, samples.count))).squareRoot()
}

/// A PulseAudio of this test's own, with one room that leads nowhere. Unchecked, since one test at a
/// time uses it and takes turns with itself.
private final class SoundServer: @unchecked Sendable {
    private let socket: String
    private let folder: URL
    private var child: Child?

    init(_ studio: Studio) throws {
        folder = studio.folder
        socket = studio.file("pulse.sock").path
        setenv("PULSE_SERVER", "unix:\(socket)", 1)
        try start()
    }

    deinit { stop() }

    func start() throws {
        let words = [
            "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--log-target=file:\(folder.path)/pulse.log",
            "-L", "module-native-protocol-unix auth-anonymous=1 socket=\(socket)",
            "-L", "module-null-sink sink_name=room1 rate=48000",
        ]
        let environment = ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "PATH": "/usr/bin:/bin"]
        child = try Child("/usr/bin/pulseaudio", words, environment: environment)
        let end = ContinuousClock.now + .seconds(60)
        while !FileManager.default.fileExists(atPath: socket) {
            guard ContinuousClock.now < end else { throw WaitedInVain() }
            usleep(10_000)
        }
    }

    func stop() {
        guard let child else { return }
        child.signal(SIGKILL)
        child.waitUntilExit()
        try? FileManager.default.removeItem(atPath: socket)
        self.child = nil
    }
}
