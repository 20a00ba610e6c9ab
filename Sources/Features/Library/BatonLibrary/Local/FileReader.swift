/// Builds catalogue entries from the facts in audio files and from the files beside them.
import BatonCore
import BatonSeams

struct FileReader {
    let media: any MediaReading
    let disk: any FileReading
    let roots: [String]

    struct Read {
        var files: [ScannedFile] = []
        /// One sentence for each file that could not be read.
        var sentences: [String] = []
        /// Problems that a person should check, although all files could be read.
        var remarks: [String] = []
        /// The reason why the remaining files are skipped: their disk does not respond.
        var silence: String?
        /// A file failed for a temporary reason, so that another scan is needed.
        var isIncomplete = false
    }

    func read(_ files: [ScanPlan.File]) -> Read {
        var read = Read()
        let full = files.flatMap(\.all).filter { $0.stamp.size > 0 }
        let pictured = Self.pictured(full)
        let answers = media.read(full.map { $0.note.path(of: $0.name) }, covers: pictured.map(\.path))
        var beside = Beside(
            reader: self, covers: Dictionary(zip(pictured.map(\.note), answers.covers), uniquingKeysWith: { first, _ in first }))
        var facts = answers.files.makeIterator()
        for file in files {
            let findings = file.all.map { finding(in: $0, facts: &facts, into: &read) }
            let entries = entries(of: file, findings: findings, beside: &beside, into: &read)
            // Entries without their companion files would count as complete and not be read again, so they are dropped.
            if let silence = beside.silence { read.silence = read.silence ?? silence } else { read.files += entries }
        }
        return read
    }

    /// The result of reading one file.
    private enum Finding {
        case facts(MediaFacts)
        case unreadable(String)
        /// A later scan reads the file.
        case later
    }

    private func finding(
        in file: ScanPlan.File, facts: inout IndexingIterator<[Result<MediaFacts, SourceFault>]>, into read: inout Read
    ) -> Finding {
        let path = file.note.path(of: file.name)
        switch file.stamp.size > 0 ? facts.next() ?? .failure(Self.silent(path)) : .failure(Self.empty(path)) {
        case .success(let facts): return .facts(facts)
        case .failure(let fault):
            if fault.isLate, read.silence == nil { read.silence = silence(of: path) }
            if fault.isLate, read.silence != nil { return .later }
            read.sentences.append(fault.sentence)
            // Temporary faults are retried by the next scan; a damaged file waits until it changes.
            guard fault.code == .unavailable else { return .unreadable(fault.sentence) }
            read.isIncomplete = true
            return .later
        }
    }

    /// The paths of folder pictures, one for each folder of these files.
    private static func pictured(_ files: [ScanPlan.File]) -> [(note: ObjectIdentifier, path: String)] {
        var met = Set<ObjectIdentifier>()
        return files.compactMap { file in
            guard let picture = file.note.picture, met.insert(ObjectIdentifier(file.note)).inserted else { return nil }
            return (ObjectIdentifier(file.note), picture.path)
        }
    }

    /// Checks whether a late reader is the disk's fault. This marks the disk as silent until it responds, which saves
    /// the few readers: each one that waits for a disk is lost.
    func silence(of path: String) -> String? {
        do throws(SourceFault) {
            _ = try disk.realPath(path, below: roots)
            return nil
        } catch {
            return error.isLate ? error.sentence : nil
        }
    }

    private static func empty(_ path: String) -> SourceFault { SourceFault(.unreadable, "\(path) is empty.") }
    private static func silent(_ path: String) -> SourceFault {
        SourceFault(.unavailable, "\(path) was not read: the reader gave no answer.")
    }

    private static func entry(_ file: ScanPlan.File, _ content: ScannedFile.Content) -> ScannedFile {
        let place = file.note.place(of: file.name)
        return ScannedFile(folder: place.folder, name: place.name, stamp: file.stamp, companions: file.companions, content: content)
    }

    private func entries(
        of file: ScanPlan.File, findings: [Finding], beside: inout Beside, into read: inout Read
    ) -> [ScannedFile] {
        if case .facts(let facts) = findings[0], file.note.books == nil, !facts.track.isBook {
            return [entry(file, facts: facts, beside: &beside)]
        }
        return book(file, findings: findings, beside: &beside, into: &read)
    }

    private func entry(_ file: ScanPlan.File, facts: MediaFacts, beside: inout Beside) -> ScannedFile {
        let track = described(file, facts: facts, beside: &beside)
        let hasWords = file.note.words(of: file.name) != nil
        let lyrics = hasWords ? Lyrics(lines: []) : facts.lyrics
        let parts = beside.sheet(for: file, embedded: facts.cueSheet)?.parts(of: track) ?? []
        let tracks = parts.count > 1 ? parts : [track]
        return Self.entry(file, .tracks(tracks, fingerprint: facts.fingerprint, lyrics: lyrics))
    }

    /// The track's facts with a title, and with the folder's picture if the file has none.
    private func described(_ file: ScanPlan.File, facts: MediaFacts, beside: inout Beside) -> TrackFacts {
        var track = facts.track
        if track.tags.title.isEmpty {
            let named = FileTitle.tags(of: file.name)
            track.tags.title = named.title
            track.tags.track = track.tags.track ?? named.track
        }
        if track.tags.art == nil, let (art, picture) = beside.picture(of: file.note) {
            track.tags.art = art
            track.picture = picture
        }
        return track
    }

    /// Builds a book's entry. An unreadable file is left out; a file whose disk is late postpones the whole book.
    private func book(
        _ file: ScanPlan.File, findings: [Finding], beside: inout Beside, into read: inout Read
    ) -> [ScannedFile] {
        var parts: [BookAssembly.Part] = []
        var files: [ScannedFile] = []
        for (file, finding) in zip(file.all, findings) {
            switch finding {
            case .later: return []
            case .unreadable(let sentence): files.append(Self.entry(file, .unreadable(sentence)))
            case .facts(let facts):
                parts.append(BookAssembly.Part(name: file.name, facts: described(file, facts: facts, beside: &beside)))
                files.append(Self.entry(file, .part(facts.fingerprint)))
            }
        }
        guard !parts.isEmpty else { return files }
        var place = BookPathFacts([])
        if case .one(let known)? = file.note.books { place = known }
        let assembly = BookAssembly(parts, at: place)
        let remarks = assembly.remarks
        read.remarks += remarks
        let remark = remarks.isEmpty ? nil : remarks.joined(separator: " ")
        guard var facts = assembly.facts else { return files.map { $0.unreadable(remark ?? "") } }
        // Parts in several folders are identified by their full paths.
        if facts.parts.contains(where: { $0.name.contains("/") }) {
            facts.parts = facts.parts.map { BookPart(name: file.note.path(of: $0.name), title: $0.title, lengthUs: $0.lengthUs) }
        }
        return [Self.entry(file, .book(facts, of: files, remark: remark))]
    }
}

extension ScannedFile {
    fileprivate func unreadable(_ sentence: String) -> ScannedFile {
        guard case .part = content else { return self }
        return ScannedFile(folder: folder, name: name, stamp: stamp, companions: companions, content: .unreadable(sentence))
    }
}

/// Companion files of audio files, read once for all files of a folder in one batch.
private struct Beside {
    let reader: FileReader
    /// The folder pictures that were read.
    let covers: [ObjectIdentifier: Result<Artwork, SourceFault>]

    private var folder: ObjectIdentifier?
    private var art: (Artwork, PictureSource)?
    private var sheets: [CueSheet] = []
    /// The reason why the companion files could not be read.
    private(set) var silence: String?

    init(reader: FileReader, covers: [ObjectIdentifier: Result<Artwork, SourceFault>]) {
        self.reader = reader
        self.covers = covers
    }

    /// Limit of sheets that are read in one folder; no real record has more.
    private static let mostSheets = 64

    mutating func picture(of note: FolderNote) -> (Artwork, PictureSource)? {
        turn(to: note)
        return art
    }

    /// The sheet for this file. A separate sheet takes precedence over an embedded one.
    mutating func sheet(for file: ScanPlan.File, embedded: String?) -> CueSheet.File? {
        turn(to: file.note)
        if let found = sheets.lazy.compactMap({ $0.file(named: file.name) }).first { return found }
        return embedded.flatMap { CueSheet(text: $0).files.first }
    }

    private mutating func turn(to note: FolderNote) {
        guard folder != ObjectIdentifier(note) else { return }
        folder = ObjectIdentifier(note)
        art = nil
        sheets = []
        if let file = note.picture { art = picture(of: note, at: file.path) }
        for file in note.sheets.prefix(Self.mostSheets) {
            if let sheet = sheet(at: note.path(of: file.name)) { sheets.append(sheet) }
        }
    }

    private mutating func picture(of note: FolderNote, at path: String) -> (Artwork, PictureSource)? {
        switch covers[ObjectIdentifier(note)] {
        case .success(let art): return (art, .file(path))
        // An unreadable picture is ignored; the music remains available.
        case .failure(let fault) where fault.isLate: silence = silence ?? reader.silence(of: path)
        case .failure, nil: break
        }
        return nil
    }

    private mutating func sheet(at path: String) -> CueSheet? {
        do throws(SourceFault) {
            return try TextFile.read(path, below: reader.roots, reader.disk, most: CueSheet.mostBytes).map { CueSheet(text: $0) }
        } catch {
            silence = silence ?? error.sentence
            return nil
        }
    }
}
