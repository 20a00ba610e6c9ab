import Glibc
import Testing

@testable import ProcessMemory

@Suite struct `Pages of libraries are let go` {
    @Test func `those of files that nothing has written to, and no others`() {
        func mapping(_ head: String, anonymous: Int) -> String { "\(head)\nSize:   64 kB\nAnonymous:   \(anonymous) kB\nVmFlags: rd mr\n" }
        let list = [
            mapping("1000-2000 r-xp 00001000 fe:00 2546                     /usr/lib/a b.so", anonymous: 0),
            // What the linker has filled in is read-only by now, and in no file.
            mapping("2000-3000 r--p 00002000 fe:00 2546                     /usr/lib/a b.so", anonymous: 4),
            mapping("3000-4000 r--p 00003000 fe:00 2546                     /usr/lib/a b.so", anonymous: 0),
            mapping("4000-5000 rw-p 00004000 fe:00 2546                     /usr/lib/a b.so", anonymous: 0),
            mapping("5000-6000 r--s 00000000 fe:00 2547                     /var/lib/shared", anonymous: 0),
            mapping("6000-7000 r--p 00000000 00:00 0 ", anonymous: 0),
            mapping("7000-8000 r-xp 00000000 00:00 0                        [vdso]", anonymous: 0),
            mapping("8000-9000 ---p 00000000 fe:00 2546                     /usr/lib/a b.so", anonymous: 0),
        ].joined()

        #expect(LibraryPages.unwritten(in: list) == [0x1000..<0x2000, 0x3000..<0x4000])
    }

    /// As a library is: one part as in the file, one that was filled in and then protected.
    @Test func `what was read comes back from the file, and what was written is not lost`() throws {
        let path = "/tmp/library-pages-\(getpid())"
        let size = 1 << 20
        let file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
        try #require(file >= 0)
        defer {
            close(file)
            unlink(path)
        }
        let bytes = [UInt8](repeating: 7, count: size)
        try #require(write(file, bytes, size) == size)
        let code = try #require(mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0))
        let table = try #require(mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0))
        defer {
            munmap(code, size)
            munmap(table, size)
        }
        for at in stride(from: 0, to: size, by: 4096) { try #require(code.load(fromByteOffset: at, as: UInt8.self) == 7) }
        table.storeBytes(of: 42, toByteOffset: 5 * 4096, as: UInt8.self)
        mprotect(table, size, PROT_READ)
        let list = try #require(ProcessFigures.text("/proc/self/smaps"))
        let found = LibraryPages.unwritten(in: list)
        #expect(found.contains { $0.contains(UInt(bitPattern: code)) })
        #expect(!found.contains { $0.contains(UInt(bitPattern: table)) })

        LibraryPages.release()

        #expect(table.load(fromByteOffset: 5 * 4096, as: UInt8.self) == 42)
        #expect(code.load(fromByteOffset: size - 1, as: UInt8.self) == 7)
    }
}
