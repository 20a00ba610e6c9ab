import BatonReading
import Glibc
import MediaFormat

/// The reader's side of what hub and reader say to each other: one question at a time.
struct Conversation {
    private static let patienceMs: Int32 = 30_000

    /// Until the hub is gone or has nothing to ask any more.
    func run() {
        while isAsked(), let request = hear() {
            guard answer(request) else { return }
        }
    }

    /// `false` when nobody listens any more.
    private func answer(_ request: ReaderRequest) -> Bool {
        switch request {
        case .read(let paths): paths.allSatisfy { say(facts(of: $0)) }
        case .covers(let paths): paths.allSatisfy { say(cover(at: $0)) }
        case .picture(let place): say(picture { () throws(ReaderFailure) in try PictureWork(place).original() })
        case .scaled(let place, let wish): say(picture { () throws(ReaderFailure) in try PictureWork(place).scaled(wish) })
        case .colours(let place): say(colours(of: place))
        }
    }

    private func facts(of path: String) -> ReaderAnswer {
        do { return .facts(try MediaFile.facts(of: path)) } catch { return .failed(error) }
    }

    private func cover(at path: String) -> ReaderAnswer {
        do { return .cover(try PictureWork(.file(path)).cover) } catch { return .failed(error) }
    }

    private func picture(_ work: () throws(ReaderFailure) -> PictureFound) -> ReaderAnswer {
        do { return .picture(try work()) } catch { return .failed(error) }
    }

    private func colours(of place: PicturePlace) -> ReaderAnswer {
        do { return .colours(try PictureWork(place).colours().numbers) } catch { return .failed(error) }
    }

    private func isAsked() -> Bool {
        var look = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        while true {
            switch poll(&look, 1, Self.patienceMs) {
            case 1: return true
            case 0:
                _ = say(.left)
                return false
            default: if errno != EINTR { return false }
            }
        }
    }

    private func hear() -> ReaderRequest? {
        guard let head = bytes(FrameHead.length), let size = FrameHead.size(head), size <= ReaderRequest.largest,
            let body = bytes(size)
        else { return nil }
        return try? ReaderRequest(body)
    }

    private func bytes(_ count: Int) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: count)
        var at = 0
        while at < count {
            let got = buffer.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress! + at, count - at) }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return nil }
            at += got
        }
        return buffer
    }

    private func say(_ answer: ReaderAnswer) -> Bool {
        let frame = answer.frame
        var at = 0
        while at < frame.count {
            let put = frame.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress! + at, frame.count - at) }
            if put < 0, errno == EINTR { continue }
            guard put > 0 else { return false }
            at += put
        }
        return true
    }
}
