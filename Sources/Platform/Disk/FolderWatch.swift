/// Folders of music watched by inotify.
///
/// Lifetime: one inotify descriptor and a thread of its own, which sleeps while nothing happens and ends with `close`. The kernel
/// identifies a folder by a number; this class maps it to a path. A renamed folder is dropped with all below it and reported as removed and
/// added, since the kernel keeps watching it at its new place. Events are read into our buffer and copied before the next read.
import BatonCore
package import BatonSeams
import CLinux
import Glibc
import Synchronization
import Threads

package final class FolderWatch: FolderWatching {
    private struct State {
        var paths: [Int32: String] = [:]
        var numbers: [String: Int32] = [:]
        var debounce = FolderDebounce()
        var isOver = false
        var hasThread = false
        /// Number of watches that are being added, and events for numbers that are not known yet.
        var asking = 0
        var strays: [Happened] = []
    }

    package let events: AsyncStream<FolderEvent>
    private let tell: AsyncStream<FolderEvent>.Continuation
    private let state = Mutex(State())
    private let isWanted: @Sendable (String) -> Bool
    private let inotify: Int32
    private let wakeEvent: Int32

    /// Limit of unreported events; more are reported as one overflow.
    private static let mostUntold = 10_000

    /// `isWanted` tells by a file's name whether its changes matter. `nil` if the system provides no descriptor.
    package init?(wanting isWanted: @escaping @Sendable (String) -> Bool) {
        self.isWanted = isWanted
        inotify = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        wakeEvent = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        (events, tell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.mostUntold))
        guard inotify >= 0, wakeEvent >= 0 else { return nil }
    }

    deinit {
        if inotify >= 0 { Glibc.close(inotify) }
        if wakeEvent >= 0 { Glibc.close(wakeEvent) }
    }

    private static let mask =
        UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_DELETE)
        // Folders, and files that are links, which are never written to and closed.
        | UInt32(IN_CREATE)
        // The folder itself, whose parent may not be watched.
        | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)
        // A file may become readable.
        | UInt32(IN_ATTRIB)
        | UInt32(IN_ONLYDIR) | UInt32(IN_EXCL_UNLINK)

    package func watch(_ folder: String) throws(SourceFault) {
        let isOver = state.withLock { state in
            if !state.isOver { state.asking += 1 }
            return state.isOver
        }
        guard !isOver else { return }
        // Outside of the lock, since the disk may be slow. Events for the new number wait in `strays` until its path is known.
        let number = unsafe inotify_add_watch(inotify, folder, Self.mask)
        let cause = number < 0 ? errno : 0
        for stray in state.withLock({ Self.arrive(in: folder, watch: number, state: &$0) }) { note(stray) }
        switch cause {
        case 0: start()
        case ENOSPC:
            throw SourceFault(
                .unavailable,
                "The system watches no more folders than it does (fs.inotify.max_user_watches), so changes in \(folder) and others are found by looking every few minutes; raise that number with sysctl to see them at once."
            )
        default: throw .about(folder, cause)
        }
    }

    private static func arrive(in folder: String, watch number: Int32, state: inout State) -> [Happened] {
        state.asking -= 1
        if number >= 0 {
            if let old = state.paths.updateValue(folder, forKey: number), old != folder { state.numbers[old] = nil }
            state.numbers[folder] = number
        }
        let known = state.strays.filter { state.paths[$0.watch] != nil }
        state.strays.removeAll { state.asking == 0 || state.paths[$0.watch] != nil }
        return known
    }

    package func unwatch(_ folder: String) { state.withLock { forget(folder, &$0) } }

    package func close() {
        state.withLock { $0.isOver = true }
        wake()
        tell.finish()
    }

    private func forget(_ folder: String, _ state: inout State) {
        let below = state.numbers.filter { $0.key == folder || RealPath.rest(of: $0.key, below: folder) != nil }
        for (path, number) in below {
            state.numbers[path] = nil
            state.paths[number] = nil
            inotify_rm_watch(inotify, number)
        }
    }

    // MARK: The thread

    private func start() {
        let needsThread = state.withLock { state in
            defer { state.hasThread = true }
            return !state.hasThread
        }
        if needsThread { OwnThread.start { [self] in work() } }
    }

    private func wake() { eventfd_write(wakeEvent, 1) }

    private func work() {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)
        defer { unsafe buffer.deallocate() }
        while let waitMs = state.withLock({ $0.isOver ? nil : Self.wait(until: $0.debounce.nextMs) }) {
            var watched = [
                pollfd(fd: inotify, events: Int16(POLLIN), revents: 0), pollfd(fd: wakeEvent, events: Int16(POLLIN), revents: 0),
            ]
            unsafe poll(&watched, 2, waitMs)
            let count = unsafe Glibc.read(inotify, buffer.baseAddress, buffer.count)
            if count > 0 { unsafe take(UnsafeRawBufferPointer(buffer)[..<count]) }
            for event in state.withLock({ $0.debounce.take(atMs: Clock.system.nowMs) }) { say(event) }
        }
    }

    private func say(_ event: FolderEvent) {
        // An event that the stream dropped is lost, as if the kernel's queue had overflowed.
        if case .dropped = tell.yield(event) { tell.yield(.overflow) }
    }

    private func take(_ bytes: Slice<UnsafeRawBufferPointer>) {
        var rest = unsafe UnsafeRawBufferPointer(rebasing: bytes)
        while let (happened, size) = unsafe Happened.first(in: rest) {
            unsafe rest = UnsafeRawBufferPointer(rebasing: rest[size...])
            if happened.has(IN_Q_OVERFLOW) { say(.overflow) } else { note(happened) }
        }
    }

    private func note(_ happened: Happened) {
        let known: String? = state.withLock { state in
            if let path = state.paths[happened.watch] { return path }
            if state.asking > 0, state.strays.count < Self.mostUntold { state.strays.append(happened) }
            return nil
        }
        guard let folder = known else { return }
        guard let event = event(happened, in: folder) else { return }
        state.withLock { state in
            if case .gone(let path) = event { forget(path, &state) }
            state.debounce.note(event, atMs: Clock.system.nowMs)
        }
    }

    private func event(_ happened: Happened, in folder: String) -> FolderEvent? {
        if happened.has(IN_DELETE_SELF) || happened.has(IN_MOVE_SELF) || happened.has(IN_UNMOUNT) { return .gone(folder) }
        guard let name = happened.name, !name.hasPrefix(".") else { return nil }
        let path = "\(folder)/\(name)"
        if happened.has(IN_ISDIR) {
            if happened.has(IN_CREATE) || happened.has(IN_MOVED_TO) || happened.has(IN_ATTRIB) { return .came(path) }
            return .gone(path)
        }
        guard isWanted(name) else { return nil }
        guard happened.has(IN_CREATE) else { return .changed(folder) }
        // A file that is still being written is reported when it is complete.
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        let isLink = status.st_mode & S_IFMT == S_IFLNK
        return isLink || status.st_nlink > 1 ? .changed(folder) : nil
    }

    private static func wait(until dueMs: Milliseconds?) -> Int32 {
        guard let dueMs else { return -1 }
        return Int32(min(max(dueMs - Clock.system.nowMs, 0), 60_000))
    }
}

/// One event in the kernel's format: four numbers and a padded name.
private struct Happened {
    var watch: Int32
    var mask: UInt32
    /// `nil` for events of the folder itself, and for a name that is not UTF-8.
    var name: String?

    func has(_ flag: Int32) -> Bool { mask & UInt32(flag) != 0 }

    static func first(in bytes: UnsafeRawBufferPointer) -> (Happened, size: Int)? {
        guard bytes.count >= 16 else { return nil }
        let length = unsafe Int(bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
        guard bytes.count >= 16 + length else { return nil }
        let name = unsafe bytes[16..<16 + length].prefix { $0 != 0 }
        let text = unsafe name.isEmpty ? nil : String(validating: name, as: UTF8.self)
        return unsafe (
            Happened(
                watch: bytes.loadUnaligned(as: Int32.self), mask: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self), name: text),
            16 + length
        )
    }
}
