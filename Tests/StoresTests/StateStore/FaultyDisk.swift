/// SQLite's own file layer, made to fail when a test says so.
///
/// It stands in front of the layer that the store always uses and passes everything on, except that it
/// counts what is done to files below one folder and fails the operations it was told to: a write
/// half way through, as a full disk does, everything else before it began. It is registered as
/// SQLite's default, so that the store under test is the one that ships; files elsewhere, and so the
/// tests beside this one, never meet it.
import CSQLite
import Glibc
import Synchronization

enum FaultyDisk {
    private struct Plan {
        var folder: String
        var failing: Range<Int>
        var count = 0
        var failures = 0
    }

    private static let plan = Mutex<Plan?>(nil)

    /// Fails the operations with these numbers on files below `folder`, counted from now.
    static func watch(_ folder: String, failing: Range<Int>) {
        _ = registered
        plan.withLock { $0 = Plan(folder: folder, failing: failing) }
    }

    /// All is well again. Gives back how many operations there were, and how many failed.
    @discardableResult
    static func mend() -> (count: Int, failures: Int) {
        plan.withLock { plan in
            defer { plan = nil }
            return (plan?.count ?? 0, plan?.failures ?? 0)
        }
    }

    // MARK: - Under SQLite

    /// Set once, before SQLite can call here, and read-only from then on: the layer below, what stands
    /// in front of it, and the same for the files that it opens.
    nonisolated(unsafe) private static let real: UnsafeMutablePointer<sqlite3_vfs> = sqlite3_vfs_find("unix")
    nonisolated(unsafe) private static let front: UnsafeMutablePointer<sqlite3_vfs> = {
        let front = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        front.initialize(to: real.pointee)
        front.pointee.pNext = nil
        front.pointee.zName = UnsafePointer(strdup("faulty"))
        front.pointee.xOpen = open
        front.pointee.xDelete = delete
        return front
    }()
    private static let registered: Bool = sqlite3_vfs_register(front, 1) == SQLITE_OK
    /// What the layer below does. It has a table for the files it locks and one for the others, which
    /// agree on all that is stood in front of; only the first knows of shared memory.
    nonisolated(unsafe) private static var below = sqlite3_io_methods()
    private static let tables = Mutex<[UInt: UInt]>([:])

    /// Whether the operation that is about to happen shall fail.
    private static func fails() -> Bool {
        plan.withLock { plan in
            guard let number = plan?.count else { return false }
            plan?.count += 1
            guard plan?.failing.contains(number) == true else { return false }
            plan?.failures += 1
            return true
        }
    }

    private static func concerns(_ name: UnsafePointer<CChar>?) -> Bool {
        guard let name else { return false }
        let path = String(cString: name)
        return plan.withLock { $0.map { path.hasPrefix($0.folder + "/") } ?? false }
    }

    private static let open:
        @convention(c) (
            UnsafeMutablePointer<sqlite3_vfs>?, UnsafePointer<CChar>?, UnsafeMutablePointer<sqlite3_file>?, Int32,
            UnsafeMutablePointer<Int32>?
        ) -> Int32 = { _, name, file, flags, outFlags in
            let isWatched = concerns(name)
            if isWatched, fails() {
                file?.pointee.pMethods = nil
                return SQLITE_CANTOPEN
            }
            let status = real.pointee.xOpen(real, name, file, flags, outFlags)
            if status == SQLITE_OK, isWatched, let file { putInFront(of: file) }
            return status
        }

    private static func putInFront(of file: UnsafeMutablePointer<sqlite3_file>) {
        guard let real = file.pointee.pMethods else { return }
        let address = UInt(bitPattern: real)
        let known = tables.withLock { $0[address] }
        let front = known ?? UInt(bitPattern: inFront(of: real.pointee))
        tables.withLock { $0[address] = front }
        file.pointee.pMethods = UnsafePointer(bitPattern: front)
    }

    private static func inFront(of real: sqlite3_io_methods) -> UnsafePointer<sqlite3_io_methods> {
        let hasMemory = real.xShmMap != nil
        if hasMemory || below.xRead == nil { below = real }
        let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        table.initialize(to: real)
        table.pointee.xRead = { FaultyDisk.fails() ? SQLITE_IOERR | (1 << 8) : FaultyDisk.below.xRead($0, $1, $2, $3) }
        table.pointee.xWrite = { file, bytes, count, offset in
            guard FaultyDisk.fails() else { return FaultyDisk.below.xWrite(file, bytes, count, offset) }
            _ = FaultyDisk.below.xWrite(file, bytes, count / 2, offset)
            return offset.isMultiple(of: 3) ? SQLITE_FULL : SQLITE_IOERR | (3 << 8)
        }
        table.pointee.xSync = { FaultyDisk.fails() ? SQLITE_IOERR | (4 << 8) : FaultyDisk.below.xSync($0, $1) }
        table.pointee.xTruncate = { FaultyDisk.fails() ? SQLITE_IOERR | (6 << 8) : FaultyDisk.below.xTruncate($0, $1) }
        if hasMemory {
            table.pointee.xShmMap = { FaultyDisk.fails() ? SQLITE_IOERR | (21 << 8) : FaultyDisk.below.xShmMap($0, $1, $2, $3, $4) }
        }
        return UnsafePointer(table)
    }

    private static let delete: @convention(c) (UnsafeMutablePointer<sqlite3_vfs>?, UnsafePointer<CChar>?, Int32) -> Int32 = {
        _, name, sync in
        concerns(name) && fails() ? SQLITE_IOERR | (10 << 8) : real.pointee.xDelete(real, name, sync)
    }
}
