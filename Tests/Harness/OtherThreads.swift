/// The other threads of this process, seen from a test whose time is virtual: such a test must not let time pass while work that was
/// begun is still on its way through them. Turns of the loop are no measure for that, since on a busy machine the system may give none
/// of its time to the other threads meanwhile.
import BatonSeams
import Glibc

/// Lets the loop and all other threads do what they have begun, as far as it waits for no clock.
@Loop
package func settleThreads() async {
    for _ in 0..<2 {
        for _ in 0..<30 { await Task.yield() }
        OtherThreads.rest()
    }
    for _ in 0..<30 { await Task.yield() }
}

package enum OtherThreads {
    /// What a thread is given before it counts as one that always has something to do.
    private static let shareNs: Int64 = 200_000
    private static let turnUs: UInt32 = 20
    private static let mostTurns = 100_000

    private struct Thread {
        var isBusy: Bool
        var ranNs: Int64
    }

    /// Until each other thread sleeps, or has had its share of the processor since.
    package static func rest() {
        guard let own = ownNumber else { return }
        guard let names = Glibc.opendir("/proc/self/task") else { return }
        defer { closedir(names) }
        while let entry = readdir(names) {
            let number = withUnsafePointer(to: &entry.pointee.d_name) { atoi(UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self)) }
            guard number > 0, number != own, let first = look(number), first.isBusy else { continue }
            for _ in 0..<mostTurns {
                guard let thread = look(number), thread.isBusy, thread.ranNs < first.ranNs + shareNs else { break }
                usleep(turnUs)
            }
        }
    }

    /// Glibc's `gettid` is hidden from Swift; the system says the number as the last part of a link.
    private static var ownNumber: pid_t? {
        var buffer = [CChar](repeating: 0, count: 64)
        let count = readlink("/proc/thread-self", &buffer, buffer.count)
        guard count > 0 else { return nil }
        return pid_t(String(decoding: buffer[..<count].map(UInt8.init), as: UTF8.self).split(separator: "/").last ?? "")
    }

    /// `nil` when it has ended.
    private static func look(_ number: pid_t) -> Thread? {
        // The name of a thread stands in brackets before its state and may hold any of them.
        guard let stat = text("/proc/self/task/\(number)/stat"), let end = stat.lastIndex(of: UInt8(ascii: ")")), end + 2 < stat.count,
            let ran = text("/proc/self/task/\(number)/schedstat")
        else { return nil }
        let isBusy = stat[end + 2] == UInt8(ascii: "R") || stat[end + 2] == UInt8(ascii: "D")
        return Thread(isBusy: isBusy, ranNs: Int64(String(decoding: ran.prefix { $0 != 0x20 }, as: UTF8.self)) ?? 0)
    }

    private static func text(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 1024)
        let count = read(file, &buffer, buffer.count)
        return count > 0 ? Array(buffer[..<count]) : nil
    }
}
