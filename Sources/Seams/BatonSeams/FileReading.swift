/// How files of music are reached, wherever a path came from.

/// Opens files, and only where that is allowed. Blocks on the disk; never asked on the loop.
package protocol FileReading: Sendable {
    /// The file at this path, whose real path must lie below one of the folders: neither a symlink nor
    /// `..` leads out of them, also when folders are moved meanwhile.
    func open(_ path: String, below folders: [String]) throws(SourceFault) -> any FileRange

    /// Many at once, for a caller with many files of few folders; in order.
    func open(_ paths: [String], below folders: [String]) -> [Result<any FileRange, SourceFault>]

    /// The file at exactly this path, of which no symlink is a part.
    func open(plainly path: String) throws(SourceFault) -> any FileRange

    /// The real path of the file that `open` would open now, and of which something can be read.
    func realPath(_ path: String, below folders: [String]) throws(SourceFault) -> String
}

extension FileReading {
    package func open(_ paths: [String], below folders: [String]) -> [Result<any FileRange, SourceFault>] {
        paths.map { path in Result { () throws(SourceFault) in try open(path, below: folders) } }
    }
}

/// Opens files of music and pictures, wherever these may lie: one answer for each path, in order.
package typealias FileOpening = @Sendable (_ paths: [String]) -> [Result<any FileRange, SourceFault>]

/// A file that stays open for as long as this is kept, whatever becomes of its name.
package protocol FileRange: Sendable {
    /// As it was when it was opened: what tells one state of a file from another.
    var stamp: FileStamp { get }

    /// What is open, for calls that need the system's own number, such as `pread`. It is valid for as long as this
    /// value is kept. The place in it that `read` moves is shared with everyone who has the file, so no one uses it.
    var descriptor: Int32 { get }

    /// The bytes from there on; fewer where the file ends. Any number of ranges may be read at once.
    func read(at position: Int64, count: Int) throws(SourceFault) -> [UInt8]

    /// Has the kernel put the bytes from there on into a pipe, without reading them into this process. How many it put there: none
    /// only at the end of the file, and `nil` where the file's disk cannot do that.
    func pass(at position: Int64, count: Int, into pipe: any PipeEnd) throws(SourceFault) -> Int?
}

extension FileRange {
    package func pass(at position: Int64, count: Int, into pipe: any PipeEnd) throws(SourceFault) -> Int? { nil }
}

/// The end of a pipe that is written to. The descriptor stays open for as long as this is kept: a call to a disk that was given up may
/// still write there.
package protocol PipeEnd: AnyObject, Sendable {
    var descriptor: Int32 { get }
}

/// A file that was opened, and the path it was asked for by. The path is for people and for what its ending says;
/// to open it again could lead to another file.
package struct NamedFile: Equatable, Sendable {
    package let path: String
    package let content: any FileRange

    package init(_ path: String, _ content: any FileRange) {
        self.path = path
        self.content = content
    }

    package static func == (a: NamedFile, b: NamedFile) -> Bool { a.path == b.path && a.content.stamp == b.content.stamp }
}
