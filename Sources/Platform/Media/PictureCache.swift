package import BatonSeams
import Synchronization

/// Pictures made to measure, kept in a folder so that each is made once: `<id>-<width>x<height>.jpeg`.
///
/// What a picture is called follows from its content, so nothing here ever becomes wrong, only unused; what
/// was used longest ago goes first when there is too much. A disk that is full or read only keeps
/// nothing and fails no request. Every verb blocks; never asked on the loop.
package final class PictureCache: Sendable {
    private let reader: any MediaReading
    private let shelf: PictureShelf
    /// What is being made right now, by the name of its file.
    private let making = Mutex<[String: Making]>([:])

    /// A second request for the same picture waits for the first, and both get the same.
    private final class Making: Sendable {
        // Held while the picture is made, which is what the second waits for; nothing is called back from there.
        let result = Mutex<Result<Picture, SourceFault>?>(nil)
        /// How many want it so far, the first one included.
        let askers = Atomic(0)
    }

    /// `folder` is made when the first picture is kept.
    package init(folder: String, mostBytes: Int = 256 << 20, reader: any MediaReading) {
        self.reader = reader
        shelf = PictureShelf(folder: folder, mostBytes: mostBytes)
    }

    /// The picture in the size and kind that is asked for; the maker's own bytes when nothing is.
    package func picture(
        _ id: String, width: Int? = nil, height: Int? = nil, format: Picture.Format? = nil, mostBytes: Int? = nil,
        from source: PictureSource
    ) throws(SourceFault) -> Picture {
        if width == nil, height == nil, format == nil, mostBytes == nil { return try reader.picture(source) }
        // The name becomes part of a path: `ArtworkID` has no slash, no dot and no space in it.
        guard ArtworkID(text: id) != nil else {
            throw SourceFault(.notFound, "There is no picture called “\(id.prefix(64))”.")
        }
        let format = format == .png ? Picture.Format.png : .jpeg
        let limit = mostBytes.map { "-\($0)" } ?? ""
        let name = "\(id)-\(width ?? 0)x\(height ?? 0)\(limit).\(format.rawValue)"
        if let kept = shelf.take(name, id: id, format: format) { return kept }
        return try once(name) { () throws(SourceFault) in
            if let kept = shelf.take(name, id: id, format: format) { return kept }
            var picture = try reader.scaled(source, width: width, height: height, format: format, mostBytes: mostBytes)
            picture.id = id
            shelf.put(name, picture.bytes)
            return picture
        }
    }

    /// How many wait for what is being made under this name.
    func askers(of name: String) -> Int { making.withLock { $0[name]?.askers.load(ordering: .relaxed) ?? 0 } }

    private func once(_ name: String, _ make: () throws(SourceFault) -> Picture) throws(SourceFault) -> Picture {
        let mine = making.withLock { making in
            let mine = making[name] ?? Making()
            making[name] = mine
            mine.askers.add(1, ordering: .relaxed)
            return mine
        }
        let result = mine.result.withLock { result in
            if let result { return result }
            let made: Result<Picture, SourceFault>
            do throws(SourceFault) { made = .success(try make()) } catch { made = .failure(error) }
            result = made
            return made
        }
        making.withLock { making in
            if making[name] === mine { making[name] = nil }
        }
        return try result.get()
    }
}
