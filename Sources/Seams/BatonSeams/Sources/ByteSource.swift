/// The bytes of one item, wherever they are: a file of this machine, or a file on another server.
package protocol ByteSource: Sendable {
    /// How many there are; `nil` when that is not known before the end.
    var length: Int64? { get }

    /// Whether a read may begin anywhere. Where it may not, reads follow each other from the beginning.
    var hasRanges: Bool { get }

    /// What tells one state of the content from another, for caches; `nil` when nothing does.
    var version: ContentVersion? { get }

    /// Up to so many bytes from there on: fewer when that is what there is at the moment, none only at the end.
    /// Any number of reads may be under way at once.
    func read(at position: Int64, count: Int) async throws(SourceFault) -> [UInt8]

    /// The bytes from there to the end as a connection. `nil` when there is none; they can be read in any case.
    func connection(at position: Int64) async -> BodyConnection?

    /// The open file that it is; `nil` where it is none of this machine.
    var file: (any FileRange)? { get }
}

extension ByteSource {
    package var file: (any FileRange)? { nil }
    package func connection(at position: Int64) async -> BodyConnection? { nil }
}

/// Bytes behind an HTTP address, and what the server said of them.
package protocol HTTPByteSource: ByteSource {
    /// Of the first answer. Names in lower case.
    var headers: [HTTPCall.Header] { get }
}

extension HTTPByteSource {
    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// One state of a content, as HTTP names it.
package struct ContentVersion: Equatable, Sendable {
    /// The entity tag, in its quotes.
    package var tag: String
    /// When it was changed, in seconds since 1970.
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

    package init(_ file: any FileRange, blockingPool: any TaskExecutor) {
        content = file
        self.blockingPool = blockingPool
    }

    package var file: (any FileRange)? { content }
    package var length: Int64? { content.stamp.size }
    package var hasRanges: Bool { true }

    package var version: ContentVersion? {
        let stamp = content.stamp
        let parts = [String(stamp.size, radix: 16), String(stamp.changedNs, radix: 16), String(stamp.inode, radix: 16)]
        return ContentVersion(tag: "\"\(parts.joined(separator: "-"))\"", changed: stamp.changedNs / 1_000_000_000)
    }

    package func read(at position: Int64, count: Int) async throws(SourceFault) -> [UInt8] {
        try await withTaskExecutorPreference(blockingPool) { () async throws(SourceFault) in
            try content.read(at: position, count: count)
        }
    }
}

/// A byte source, and the name by whose ending people and decoders know its format.
package struct NamedBytes: Equatable, Sendable {
    package let name: String
    package let content: any ByteSource

    package init(_ name: String, _ content: any ByteSource) {
        self.name = name
        self.content = content
    }

    package static func == (a: NamedBytes, b: NamedBytes) -> Bool {
        a.name == b.name && a.content.version == b.content.version && a.content.length == b.content.length
    }
}
