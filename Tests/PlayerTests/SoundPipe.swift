import BatonSeams
import EventLoop
import Foundation
import Testing

@testable import Player

/// A named pipe that a player writes its sound into, and all that was read of it.
///
/// libmpv waits until there is room in the pipe, so what plays goes on as far as the test reads, however long that takes. While it waits
/// it may answer no order: so each wait of `Listening` reads on, and before anything else is awaited all is read.
@Loop
final class SoundPipe {
    let path: String
    private var heard = Data()

    private let loop: EventLoop
    /// Open at both ends, so that it never ends.
    private let both: Int32
    private var watch: (any Watch)?

    init(_ studio: Studio, loop: EventLoop) throws {
        path = studio.file("sound").path
        self.loop = loop
        try #require(mkfifo(path, 0o600) == 0)
        both = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        try #require(both >= 0)
    }

    deinit { close(both) }

    /// Reads a little of a full pipe. libmpv looks at its orders only when its output has enough, so more at once could be a whole file.
    func readOn() {
        var asked = pollfd(fd: both, events: Int16(POLLOUT), revents: 0)
        if poll(&asked, 1, 0) == 0 { take(4096) }
    }

    /// From now on all is read as it comes.
    func readAll() {
        guard watch == nil else { return }
        watch = loop.watch(both, for: .readable) { [weak self] _ in self?.take(65_536) }
    }

    private func take(_ most: Int) {
        var piece = [UInt8](repeating: 0, count: most)
        let count = read(both, &piece, most)
        if count > 0 { heard += piece[..<count] }
    }

    /// All of it, once the player is gone.
    func sound() -> Data {
        watch?.cancel()
        watch = nil
        var before = -1
        while before < heard.count {
            before = heard.count
            take(65_536)
        }
        return heard
    }
}

/// A player that writes its sound into a pipe, and all of that sound.
@discardableResult
func withSoundPipe(_ studio: Studio, _ body: @escaping @Loop (Listening, SoundPipe) async throws -> Void) async throws -> Data {
    let loop = try await EventLoop.background()
    let pipe = try await SoundPipe(studio, loop: loop)
    try await withPlayer(.pcm(pipe.path)) { room in
        room.pipe = pipe
        // libmpv ends when its last sound is read.
        defer { pipe.readAll() }
        try await body(room, pipe)
    }
    return await pipe.sound()
}
