/// Encodes sound, each stream and each item in a process of its own.
package protocol SoundEncoding: Sendable {
    /// Begins to encode. Waits for the process, so it is not called on the loop.
    func begin(_ coding: SoundCoding) throws(EncodingFault) -> any EncodingWork
    /// A new file for sound that is still coming; `nil` when the system gives none.
    func growingFile() -> (any GrowingFile)?
    /// Why nothing can be encoded here, in a sentence; `nil` when it can.
    var trouble: String? { get }
    /// No more is begun.
    func close()
}

/// One encoder at work. Every call waits for its answer, so none is made on the loop. It belongs to one caller at a time.
package protocol EncodingWork: AnyObject, Sendable {
    /// What is encoded from here on.
    func play(_ source: EncodingSource) throws(EncodingFault) -> EncodedPiece
    /// So much sound. Behind the end of the file, or with `isSilent`, silence takes its place.
    func more(ms: Int, isSilent: Bool) throws(EncodingFault) -> EncodedPiece
    /// Up to so much sound; the piece in which the file ends is the last.
    func rest(ms: Int) throws(EncodingFault) -> EncodedPiece
    /// Nothing more is wanted.
    func close()
}

/// What sound is encoded as.
package struct SoundCoding: Hashable, Sendable {
    package enum Codec: String, Sendable {
        case opus, mp3, aac
    }

    package var codec: Codec
    /// Thousands of bits a second.
    package var kilobits: Int

    package init(_ codec: Codec, kilobits: Int) {
        self.codec = codec
        self.kilobits = kilobits
    }

    package var mediaType: String {
        switch codec {
        case .opus: "audio/ogg"
        case .mp3: "audio/mpeg"
        case .aac: "audio/aac"
        }
    }
}

package struct EncodingSource: Equatable, Sendable {
    package enum Sound: Equatable, Sendable {
        case silence
        /// From there on, to `untilMs` where it ends before the file does.
        case file(NamedFile, fromMs: Int = 0, untilMs: Int? = nil)
        /// From its beginning. The end of what was written so far is not its end.
        case growing(NamedFile)
        /// What was encoded before goes on under another title.
        case same
    }

    package var title: String
    package var artist: String
    package var sound: Sound

    package init(title: String, artist: String, _ sound: Sound = .silence) {
        self.title = title
        self.artist = artist
        self.sound = sound
    }

    package var file: NamedFile? {
        switch sound {
        case .file(let file, _, _), .growing(let file): file
        case .silence, .same: nil
        }
    }
}

/// A file without a name that is read by another process while it is written. Only the last part of it is kept.
package protocol GrowingFile: FileRange {
    /// False when the system does not take more.
    func append(_ bytes: [UInt8]) -> Bool
}

/// Encoded sound in whole packets.
package struct EncodedPiece: Equatable, Sendable {
    /// Goes on from the piece before.
    package var bytes: [UInt8]
    /// Comes behind `bytes`, and is what a listener gets first who comes later; empty where nothing begins anew.
    package var head: [UInt8]
    /// How far the file was encoded.
    package var atMs: Int
    /// The file has no more sound.
    package var hasEnded: Bool

    package init(_ bytes: [UInt8] = [], head: [UInt8] = [], atMs: Int = 0, hasEnded: Bool = false) {
        self.bytes = bytes
        self.head = head
        self.atMs = atMs
        self.hasEnded = hasEnded
    }
}

/// Why there is no sound.
package struct EncodingFault: Error, Equatable, Sendable {
    /// The encoder has ended, and the next call needs another. Otherwise it goes on, and only this file cannot be decoded.
    package var isOver: Bool
    package var sentence: String

    package init(isOver: Bool, _ sentence: String) {
        self.isOver = isOver
        self.sentence = sentence
    }
}
