/// Access to music files, wherever a path came from.

/// Opens files where that is permitted. Blocks on the disk; never called on the loop.
package protocol FileReading: Sendable {
    /// Opens the file at this path, whose real path must be below one of the folders. Neither a symlink nor `..` leads out of them, even when folders
    /// are moved meanwhile.
    func open(_ path: String, below folders: [String]) throws(SourceFault) -> any FileRange

    /// Opens many files of few folders at once; the results are in order.
    func open(_ paths: [String], below folders: [String]) -> [Result<any FileRange, SourceFault>]

    /// Opens the file at exactly this path, which must not contain a symlink.
    func open(plainly path: String) throws(SourceFault) -> any FileRange

    /// The real path of the file that `open` would open now, if it is readable.
    func realPath(_ path: String, below folders: [String]) throws(SourceFault) -> String
}

extension FileReading {
    /// Default that opens one file after the other.
    package func open(_ paths: [String], below folders: [String]) -> [Result<any FileRange, SourceFault>] {
        paths.map { path in Result { () throws(SourceFault) in try open(path, below: folders) } }
    }
}

/// Opens files of music and pictures anywhere: one result for each path, in order.
package typealias FileOpening = @Sendable (_ paths: [String]) -> [Result<any FileRange, SourceFault>]

/// An open file. It stays the same file while this value exists, even when its name is changed or removed.
package protocol FileRange: Sendable {
    /// The state of the file when it was opened, which tells it from other states of the file.
    var stamp: FileStamp { get }

    /// The descriptor, for calls such as `pread`. It is valid while this value exists. Its `read` position is shared by all users of the file, so
    /// none of them uses that position.
    var descriptor: Int32 { get }

    /// The bytes at a position; fewer at the end of the file. Any number of ranges may be read at once.
    func read(at position: Int64, count: Int) throws(SourceFault) -> [UInt8]

    /// Makes the kernel move bytes from a position into a pipe, without reading them into this process. Returns their number: 0 only at the end of
    /// the file, and `nil` where the file's disk does not support it.
    func pass(at position: Int64, count: Int, into pipe: any PipeEnd) throws(SourceFault) -> Int?
}

extension FileRange {
    /// Default for files whose bytes can only be read.
    package func pass(at position: Int64, count: Int, into pipe: any PipeEnd) throws(SourceFault) -> Int? { nil }
}

/// The write end of a pipe. The descriptor stays open while this object exists, because an abandoned call to a disk may still write to it.
package protocol PipeEnd: AnyObject, Sendable {
    var descriptor: Int32 { get }
}

/// An open file and the path that was requested. The path is for people and for its suffix; opening it again could give another file.
package struct NamedFile: Equatable, Sendable {
    /// The path as it was requested.
    package let path: String
    package let content: any FileRange

    package init(_ path: String, _ content: any FileRange) {
        self.path = path
        self.content = content
    }

    /// Equal when path and stamp are, whichever descriptor they have.
    package static func == (a: NamedFile, b: NamedFile) -> Bool { a.path == b.path && a.content.stamp == b.content.stamp }
}
