/// How files of music are reached, wherever a path came from.

/// Opens files, and only where that is allowed. Blocks on the disk; never asked on the loop.
package protocol FileReading: Sendable {
    /// The file at this path, whose real path must lie below one of the folders: neither a symlink nor
    /// `..` leads out of them, also when somebody moves things about meanwhile.
    func open(_ path: String, below folders: [String]) throws(SourceFault) -> any FileRange

    /// The real path of the file that `open` would open now, and of which something can be read.
    func realPath(_ path: String, below folders: [String]) throws(SourceFault) -> String
}

/// A file that stays open for as long as this is kept, whatever becomes of its name.
package protocol FileRange: Sendable {
    /// As it was when it was opened: what tells one state of a file from another.
    var stamp: FileStamp { get }

    /// The bytes from there on; fewer where the file ends. Any number of ranges may be read at once.
    func read(at position: Int64, count: Int) throws(SourceFault) -> [UInt8]
}
