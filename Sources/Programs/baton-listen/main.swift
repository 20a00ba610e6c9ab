import BatonClient
import BatonSeams
import EventLoop
import Glibc

// `baton-listen`: plays a room's sound on this machine, in sync with the room. `baton listen` finds the hub and
// executes this program, with the settings as one line on the descriptor after `--from`.

let words = Array(CommandLine.arguments.dropFirst())
guard words.count == 2, words[0] == "--from", let descriptor = Int32(words[1]), let start = ListenerStart(line: line(of: descriptor)) else {
    Terminal.complain("baton-listen is started by: baton listen [--room ROOM] [--output DEVICE] [--offset MS]")
    exit(2)
}
let log = Log(threshold: .error) { Terminal.complain("\($0.name): \($1)") }
do {
    exit(try EventLoop.run(log: log, blocking: ListeningProgram.signals) { loop in await ListeningProgram(start, loop).run() })
} catch {
    Terminal.complain(error.sentence)
    exit(1)
}

/// All bytes from a pipe until its writer closes it.
func line(of descriptor: Int32) -> [UInt8] {
    var all: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    while all.count < 65_536 {
        let count = read(descriptor, &part, part.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        all += part[..<count]
    }
    close(descriptor)
    return all
}
