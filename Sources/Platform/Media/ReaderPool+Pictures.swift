import BatonReading
package import BatonSeams

/// Pictures, in the original form or scaled.
extension ReaderPool {
    package func picture(_ source: PictureSource) throws(SourceFault) -> Picture {
        try picture(.picture(source.place.named), of: source.place)
    }

    package func scaled(
        _ source: PictureSource, width: Int?, height: Int?, format: Picture.Format, mostBytes: Int?
    ) throws(SourceFault) -> Picture {
        for side in [width, height].compactMap({ $0 }) where !(1...PictureRequest.longestSide).contains(side) {
            throw SourceFault(
                .badRequest, "A picture can be 1 to \(PictureRequest.longestSide) pixels wide and high; \(side) was asked for.")
        }
        let wish = PictureRequest(width: width, height: height, type: format == .png ? .png : .jpeg, mostBytes: mostBytes)
        return try picture(.scaled(source.place.named, wish), of: source.place)
    }

    package func colours(of source: PictureSource) throws(SourceFault) -> [Int] {
        guard case .colours(let colours) = try answer(to: .colours(source.place.named), about: source.place) else {
            throw .garbled(source.place)
        }
        return colours
    }

    private func picture(_ request: ReaderRequest, of place: PictureLocation) throws(SourceFault) -> Picture {
        guard case .picture(let found) = try answer(to: request, about: place), let format = Picture.Format(found.header.type) else {
            throw .garbled(place)
        }
        return Picture(
            id: PictureName.text(found.name), format: format, width: found.header.width, height: found.header.height, bytes: found.bytes)
    }

    /// Sends one request to one reader and waits for the answer.
    private func answer(to request: ReaderRequest, about place: PictureLocation) throws(SourceFault) -> ReaderAnswer {
        if let missing { throw SourceFault(.unavailable, missing) }
        guard place.isSound else { throw ReaderFailure(.notAFile).fault(with: place) }
        let files = try open(place)
        let first = ask(request, about: files, of: try takeWorker(place) { () throws(ReaderWorkers.Lack) in try workerPool.take() })
        // The reader may have ended just before, which is not the picture's fault.
        let last =
            first == .failure(.ended)
            ? ask(request, about: files, of: try takeWorker(place) { () throws(ReaderWorkers.Lack) in try workerPool.fresh() }) : first
        switch last {
        case .success(.failed(let failure)): throw failure.fault(with: place)
        case .success(let answer): return answer
        case .failure(let loss): throw loss.fault(with: place)
        }
    }

    private func open(_ place: PictureLocation) throws(SourceFault) -> [any FileRange] {
        switch place {
        case .file(let path), .embedded(let path): try opening([path]).map { answer throws(SourceFault) in try answer.get() }
        case .bytes: []
        }
    }

    private func takeWorker(
        _ place: PictureLocation, _ body: () throws(ReaderWorkers.Lack) -> ReaderWorkers.Worker
    ) throws(SourceFault) -> ReaderWorkers.Worker {
        do { return try body() } catch { throw .noReader(place.name) }
    }

    func ask(
        _ request: ReaderRequest, about files: [any FileRange], of worker: ReaderWorkers.Worker
    ) -> Result<ReaderAnswer, ReaderLine.Loss> {
        worker.line.allow(ms: patienceMs)
        do throws(ReaderLine.Loss) {
            try worker.line.ask(request, with: files)
            let answer = try worker.line.awaitAnswer(largest: ReaderAnswer.largest)
            guard answer != .left else { throw .ended }
            workerPool.giveBack(worker)
            return .success(answer)
        } catch {
            worker.end()
            return .failure(error)
        }
    }
}

extension PictureSource {
    fileprivate var place: PictureLocation {
        switch self {
        case .file(let path): .file(path)
        case .embedded(let path): .embedded(path)
        case .bytes(let bytes): .bytes(bytes)
        }
    }
}

extension PictureLocation {
    /// The place in a form for a reader: the file is sent along, and its name is enough.
    fileprivate var named: PictureLocation {
        switch self {
        case .file(let path): .file(Self.name(in: path))
        case .embedded(let path): .embedded(Self.name(in: path))
        case .bytes: self
        }
    }

    private static func name(in path: String) -> String { String(path.split(separator: "/").last ?? "") }

    /// Whether its size is within the reader's limits.
    fileprivate var isSound: Bool {
        switch self {
        case .file(let path), .embedded(let path): path.utf8.count <= ReaderRequest.longestName
        case .bytes(let bytes): bytes.count <= Self.mostBytes
        }
    }
}

extension Picture.Format {
    init?(_ type: PictureType) {
        switch type {
        case .jpeg: self = .jpeg
        case .png: self = .png
        case .webp: self = .webp
        case .gif: self = .gif
        case .bmp: return nil
        }
    }
}

extension SourceFault {
    fileprivate static func garbled(_ place: PictureLocation) -> SourceFault { ReaderLine.Loss.garbled.fault(with: place) }
}
