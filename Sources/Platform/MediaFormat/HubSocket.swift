import BatonReading
import CLinux
import Glibc

/// A confined program's end of the socket to the hub. Requests arrive with their files, already opened, since the program cannot open any.
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

    /// Waits until the hub has sent something.
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

    /// The body of the next frame, and the files sent with it, which the caller must close.
    package func frame(largest: Int) -> (body: [UInt8], files: [Int32])? {
        guard let head = bytes(FrameHead.length) else { return nil }
        guard let size = FrameHead.size(head.bytes), size <= largest, let body = bytes(size) else {
            Self.close(head.files)
            return nil
        }
        return (body.bytes, head.files + body.files)
    }

    /// `false` if the hub is gone.
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

    /// Exactly `count` bytes, and the descriptors sent with them, which the caller must close. `nil` if the hub is gone.
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
