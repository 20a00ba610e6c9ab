import EventLoop
import Glibc

/// A file to upload, read piece by piece.
struct UploadedFile: Sendable {
    let name: String
    let length: Int64
    private let path: String
    private let descriptor: Int32

    private static let pieceBytes = 256 * 1024

    init(_ path: String) throws(Stop) {
        self.path = path
        name = path.split(separator: "/").last.map(String.init) ?? path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Stop(.usage, "\(path) cannot be read: \(String(cString: strerror(errno))).") }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            Glibc.close(descriptor)
            throw Stop(.usage, "\(path) is not a file.")
        }
        length = Int64(status.st_size)
    }

    func next() throws(SocketsError) -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
        let count = read(descriptor, &piece, piece.count)
        guard count >= 0 else { throw SocketsError(.failed, "\(path) cannot be read: \(String(cString: strerror(errno))).") }
        return count == piece.count ? piece : Array(piece.prefix(count))
    }

    func close() { Glibc.close(descriptor) }
}
