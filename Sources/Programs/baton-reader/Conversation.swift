import BatonReading
import Glibc
import MediaFormat

/// The reader's side of the connection to the hub, which handles one request at a time.
final class Conversation {
    private static let patienceMs: Int32 = 30_000

    private let hub = HubSocket(STDIN_FILENO, STDOUT_FILENO)
    /// The file whose silences are being searched.
    private var search: SilenceSearch?

    /// Answers requests until the hub has ended or stays silent for half a minute.
    func run() {
        while isAsked(), let (request, files) = hear() {
            guard answer(request, files) else { return }
        }
    }

    /// Answers a request; returns `false` if the hub has closed the socket.
    private func answer(_ request: ReaderRequest, _ files: [Int32]) -> Bool {
        switch request {
        case .read(let names): zip(names, files).allSatisfy { say(facts(of: $1, named: $0)) }
        case .covers(let names): zip(names, files).allSatisfy { say(cover(of: $1, named: $0)) }
        case .picture(let place): say(picture { () throws(ReaderFailure) in try Self.work(place, files).original() })
        case .scaled(let place, let wish): say(picture { () throws(ReaderFailure) in try Self.work(place, files).scaled(wish) })
        case .colours(let place): say(colours(of: place, files))
        case .feed(let bytes): say(feed(bytes))
        case .silences(let name): say(silences(in: files, named: name))
        case .moreSilences: say(moreSilences())
        }
    }

    private func facts(of file: Int32, named name: String) -> ReaderAnswer {
        do { return .facts(try MediaFile.facts(of: OpenFile(file), named: name)) } catch { return .failed(error) }
    }

    private func cover(of file: Int32, named name: String) -> ReaderAnswer {
        do { return .cover(try PictureWork(.file(name), OpenFile(file)).cover) } catch { return .failed(error) }
    }

    private func picture(_ work: () throws(ReaderFailure) -> PictureFound) -> ReaderAnswer {
        do { return .picture(try work()) } catch { return .failed(error) }
    }

    private func colours(of place: PictureLocation, _ files: [Int32]) -> ReaderAnswer {
        do { return .colours(try Self.work(place, files).colours().numbers) } catch { return .failed(error) }
    }

    private func feed(_ bytes: [UInt8]) -> ReaderAnswer {
        do { return .feed(try FeedParser.facts(of: bytes)) } catch { return .failed(error) }
    }

    private func silences(in files: [Int32], named name: String) -> ReaderAnswer {
        search = nil
        guard let file = files.first else { return .failed(ReaderFailure(.notAFile)) }
        do { search = try SilenceSearch(OpenFile(file), named: name) } catch { return .failed(error) }
        return moreSilences()
    }

    private func moreSilences() -> ReaderAnswer {
        guard let found = search?.next() else { return .failed(ReaderFailure(.notAFile)) }
        if found.isLast { search = nil }
        return .silences(found)
    }

    private static func work(_ place: PictureLocation, _ files: [Int32]) throws(ReaderFailure) -> PictureWork {
        var file: OpenFile?
        if let first = files.first { file = try OpenFile(first) }
        return try PictureWork(place, file)
    }

    private func isAsked() -> Bool {
        switch hub.wait(ms: Self.patienceMs) {
        case .asked: return true
        case .silence:
            _ = say(.left)
            return false
        case .gone: return false
        }
    }

    /// Receives a request; `nil` if the number of files differs from the one that it states.
    private func hear() -> (ReaderRequest, [Int32])? {
        guard let (body, files) = hub.frame(largest: ReaderRequest.largest) else { return nil }
        guard let request = try? ReaderRequest(body), request.files == files.count else { return nil }
        return (request, files)
    }

    private func say(_ answer: ReaderAnswer) -> Bool { hub.send(answer.frame) }
}
