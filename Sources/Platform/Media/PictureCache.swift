package import BatonSeams
import Synchronization

/// Scaled pictures, stored in a folder so that each is made once: `<id>-<width>x<height>.jpeg`.
///
/// The name follows from the content, so entries never become wrong, only unused; the least recently used ones are removed first. A full or
/// read-only disk stores nothing and fails no request. Every method blocks, so the loop never calls it.
package final class PictureCache: Sendable {
    private let reader: any MediaReading
    private let shelf: PictureShelf
    /// Pictures that are being made, by file name.
    private let making = Mutex<[String: Making]>([:])

    /// A picture that is being made. A second request for it waits and gets the same result.
    private final class Making: Sendable {
        // Locked while the picture is made, which is what a second request waits for; no code is called back under it.
        let result = Mutex<Result<Picture, SourceFault>?>(nil)
        /// Number of requests so far, including the first.
        let askers = Atomic(0)
    }

    /// `folder` is created when the first picture is stored.
    package init(folder: String, mostBytes: Int = 256 << 20, reader: any MediaReading) {
        self.reader = reader
        shelf = PictureShelf(folder: folder, mostBytes: mostBytes)
    }

    /// The picture in the requested size and format; the original bytes if neither is given.
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
        if let stored = shelf.take(name, id: id, format: format) { return stored }
        return try once(name) { () throws(SourceFault) in
            if let stored = shelf.take(name, id: id, format: format) { return stored }
            var picture = try reader.scaled(source, width: width, height: height, format: format, mostBytes: mostBytes)
            picture.id = id
            shelf.put(name, picture.bytes)
            return picture
        }
    }

    /// Number of requests that wait for this file.
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
