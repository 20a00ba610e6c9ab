import CLinux
import Glibc

/// The reader's end of the socket to the hub. Beside a question come the files it is about, opened: the reader
/// itself can open none.
package struct HubSocket {
    private let input: Int32

    package init(_ input: Int32) { self.input = input }

    /// Exactly so many bytes, and the descriptors that came with them, which are the caller's to close. `nil` when the
    /// hub has gone.
    package func bytes(_ count: Int) -> (bytes: [UInt8], files: [Int32])? {
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

    package static func close(_ files: [Int32]) { for file in files { Glibc.close(file) } }
}
