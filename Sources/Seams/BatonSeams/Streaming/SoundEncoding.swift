package import BatonCore

/// Encodes sound, each stream and each item in a separate process.
package protocol SoundEncoding: Sendable {
    /// Begins to encode. Blocks until the process runs, so it is not called on the loop.
    func begin(_ coding: SoundCoding) throws(EncodingFault) -> any EncodingWork
    /// A new file for sound that is still arriving; `nil` when the system refuses one.
    func growingFile() -> (any GrowingFile)?
    /// The reason why encoding is impossible here, as a sentence; `nil` when it is possible.
    var trouble: String? { get }
    /// Stops starting encoders.
    func close()
}

/// One running encoder. Every call blocks until its answer, so none is made on the loop. It belongs to one caller at a time.
package protocol EncodingWork: AnyObject, Sendable {
    /// Encodes this source from now on.
    func play(_ source: EncodingSource) throws(EncodingFault) -> EncodedPiece
    /// Encodes this much sound. Silence replaces it after the end of the file, or with `isSilent`.
    func more(ms: Milliseconds, isSilent: Bool) throws(EncodingFault) -> EncodedPiece
    /// Encodes up to this much sound; the piece in which the file ends is the last.
    func rest(ms: Milliseconds) throws(EncodingFault) -> EncodedPiece
    func close()
}

/// The format of encoded sound.
package struct SoundCoding: Hashable, Sendable {
    /// The encoders that the hub has.
    package enum Codec: String, Sendable {
        case opus, mp3, aac
    }

    /// The codec, from which the container follows.
    package var codec: Codec
    /// Bit rate in kbit/s.
    package var kilobits: Int

    package init(_ codec: Codec, kilobits: Int) {
        self.codec = codec
        self.kilobits = kilobits
    }

    /// The type for the `content-type` header.
    package var mediaType: String {
        switch codec {
        case .opus: "audio/ogg"
        case .mp3: "audio/mpeg"
        case .aac: "audio/aac"
        }
    }
}

/// The sound to encode, with the title that players of the stream show.
package struct EncodingSource: Equatable, Sendable {
    package enum Sound: Equatable, Sendable {
        /// Silence, as while nothing plays in a room.
        case silence
        /// The file from a position on, to `untilMs` if that is before its end.
        case file(NamedFile, fromMs: Milliseconds = 0, untilMs: Milliseconds? = nil)
        /// A file that is still being written, from its beginning; its present end is not the end of the sound.
        case growing(NamedFile)
        /// The earlier sound continues with another title.
        case same
    }

    /// The title of the entry; empty for none.
    package var title: String
    /// The performers as one text; empty for none.
    package var artist: String
    package var sound: Sound

    package init(title: String, artist: String, _ sound: Sound = .silence) {
        self.title = title
        self.artist = artist
        self.sound = sound
    }

    /// The file that the encoder reads; `nil` where there is none.
    package var file: NamedFile? {
        switch sound {
        case .file(let file, _, _), .growing(let file): file
        case .silence, .same: nil
        }
    }
}

/// A file without a name that another process reads while it is written. Only its latest part stays.
package protocol GrowingFile: FileRange {
    /// Returns false when the system takes no more.
    func append(_ bytes: [UInt8]) -> Bool
}

/// Encoded sound in whole packets.
package struct EncodedPiece: Equatable, Sendable {
    /// Encoded bytes that continue the piece before.
    package var bytes: [UInt8]
    /// The header that follows `bytes`, with which later listeners begin; empty where the stream does not begin anew.
    package var head: [UInt8]
    /// The position in the file up to which it is encoded.
    package var atMs: Milliseconds
    /// True when the file has no more sound.
    package var hasEnded: Bool

    package init(_ bytes: [UInt8] = [], head: [UInt8] = [], atMs: Milliseconds = 0, hasEnded: Bool = false) {
        self.bytes = bytes
        self.head = head
        self.atMs = atMs
        self.hasEnded = hasEnded
    }
}

/// The reason why there is no sound.
package struct EncodingFault: Error, Equatable, Sendable {
    /// True when the encoder has ended, so that the next call needs another. Otherwise it continues, and only this file cannot be decoded.
    package var isOver: Bool
    package var sentence: String

    package init(isOver: Bool, _ sentence: String) {
        self.isOver = isOver
        self.sentence = sentence
    }
}
