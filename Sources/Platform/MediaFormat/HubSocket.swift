import BatonReading
import CLinux
import Glibc

/// The end of the socket to the hub that a confined program has. Beside a request come the files it is about, opened: the program
/// itself can open none.
package struct HubSocket {
    private let input: Int32
    private let output: Int32

    package init(_ input: Int32, _ output: Int32) {
        self.input = input
        self.output = output
    }

    package enum Wait {
        case asked, silence, gone
    }

    /// Until the hub has said something.
    package func wait(ms: Int32) -> Wait {
        var look = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        while true {
            switch unsafe poll(&look, 1, ms) {
            case 1: return .asked
            case 0: return .silence
            default: if errno != EINTR { return .gone }
            }
        }
    }

    /// What follows the head of the next frame, and the files that came along, which are the caller's to close.
    package func frame(largest: Int) -> (body: [UInt8], files: [Int32])? {
        guard let head = bytes(FrameHead.length) else { return nil }
        guard let size = FrameHead.size(head.bytes), size <= largest, let body = bytes(size) else {
            Self.close(head.files)
            return nil
        }
        return (body.bytes, head.files + body.files)
    }

    /// `false` when the hub has gone.
    package func send(_ frame: [UInt8]) -> Bool {
        var at = 0
        while at < frame.count {
            let put = unsafe frame.withUnsafeBytes {
                unsafe write(output, UnsafeRawBufferPointer(rebasing: $0[at...]).baseAddress, frame.count - at)
            }
            if put < 0, errno == EINTR { continue }
            guard put > 0 else { return false }
            at += put
        }
        return true
    }

    /// Exactly so many bytes, and the descriptors that came with them, which are the caller's to close. `nil` when the
    /// hub has gone.
    private func bytes(_ count: Int) -> (bytes: [UInt8], files: [Int32])? {
        var buffer = [UInt8](repeating: 0, count: count)
        var files: [Int32] = []
        var came = [Int32](repeating: -1, count: Int(CLINUX_MOST_DESCRIPTORS))
        var at = 0
        while at < count {
            var many: Int32 = 0
            let got = unsafe buffer.withUnsafeMutableBytes { room in
                unsafe clinux_receive(
                    input, UnsafeMutableRawBufferPointer(rebasing: room[at...]).baseAddress, UInt(count - at), &came, &many)
            }
            files += came.prefix(Int(many))
            if got < 0, errno == EINTR { continue }
            guard got > 0 else {
                Self.close(files)
                return nil
            }
            at += got
        }
        return (buffer, files)
    }

    private static func close(_ files: [Int32]) { for file in files { Glibc.close(file) } }
}
