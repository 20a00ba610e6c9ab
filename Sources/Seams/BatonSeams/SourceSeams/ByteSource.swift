/// The bytes of one item: a file of this machine, or a file on another server.
package protocol ByteSource: Sendable {
    /// The number of bytes; `nil` when it is unknown before the end.
    var length: Int64? { get }

    /// True when reads may begin anywhere. Otherwise they must follow each other from the beginning.
    var hasRanges: Bool { get }

    /// The version of the content, for caches; `nil` when it has none.
    var version: ContentVersion? { get }

    /// Up to `count` bytes from a position: fewer if no more are available yet, none only at the end. Any number of reads may run at once.
    func read(at position: Int64, count: Int) async throws(SourceFault) -> [UInt8]

    /// The bytes from a position to the end as a connection; `nil` where only reading is possible.
    func connection(at position: Int64) async -> BodyConnection?

    /// The open file; `nil` for bytes that are not a file of this machine.
    var file: (any FileRange)? { get }
}

extension ByteSource {
    /// Default for bytes that are no file.
    package var file: (any FileRange)? { nil }
    /// Default for bytes that can only be read.
    package func connection(at position: Int64) async -> BodyConnection? { nil }
}

/// Bytes at an HTTP address, with the headers of the server.
package protocol HTTPByteSource: ByteSource {
    /// Headers of the first answer, with names in lower case.
    var headers: [HTTPCall.Header] { get }
}

extension HTTPByteSource {
    /// The first header with this name, which is in lower case.
    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// A version of content in the form of HTTP.
package struct ContentVersion: Equatable, Sendable {
    /// The entity tag, including its quotes.
    package var tag: String
    /// The time of the last change, in seconds since 1970.
    package var changed: Int64?

    package init(tag: String, changed: Int64? = nil) {
        self.tag = tag
        self.changed = changed
    }
}

/// An open file, read on threads that may wait for a disk.
package struct FileBytes: ByteSource {
    private let content: any FileRange
    private let blockingPool: any TaskExecutor

    /// A file, whose reads run on the given executor.
    package init(_ file: any FileRange, blockingPool: any TaskExecutor) {
        content = file
        self.blockingPool = blockingPool
    }

    package var file: (any FileRange)? { content }
    package var length: Int64? { content.stamp.size }
    package var hasRanges: Bool { true }

    /// A version made of size, time and number of the file, so that it changes with each of them.
    package var version: ContentVersion? {
        let stamp = content.stamp
        let parts = [String(stamp.size, radix: 16), String(stamp.modifiedNs, radix: 16), String(stamp.inode, radix: 16)]
        return ContentVersion(tag: "\"\(parts.joined(separator: "-"))\"", changed: stamp.modifiedNs / 1_000_000_000)
    }

    package func read(at position: Int64, count: Int) async throws(SourceFault) -> [UInt8] {
        try await withTaskExecutorPreference(blockingPool) { () async throws(SourceFault) in
            try content.read(at: position, count: count)
        }
    }
}

/// A byte source, and a name whose suffix tells people and decoders the format.
package struct NamedBytes: Equatable, Sendable {
    /// The name of the file at its source; its suffix tells the format.
    package let name: String
    package let content: any ByteSource

    package init(_ name: String, _ content: any ByteSource) {
        self.name = name
        self.content = content
    }

    /// Equal when name, version and length are, so that nothing is read.
    package static func == (a: NamedBytes, b: NamedBytes) -> Bool {
        a.name == b.name && a.content.version == b.content.version && a.content.length == b.content.length
    }
}
