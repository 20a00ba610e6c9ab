/// The names in a folder of ours, which need no checks, unlike a person's folder.
import Glibc

package enum FolderNames {
    /// All names but hidden ones, in no order; none if the folder cannot be read.
    package static func visible(in folder: String) -> [String] { all(in: folder).filter { !$0.hasPrefix(".") } }

    package static func all(in folder: String) -> [String] {
        bytes(in: Array(folder.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Names as bytes, since they need not be valid text.
    package static func bytes(in folder: [UInt8]) -> [[UInt8]] {
        guard let list = unsafe opendir(folder.map { CChar(bitPattern: $0) } + [0]) else { return [] }
        defer { unsafe _ = closedir(list) }
        var names: [[UInt8]] = []
        while let entry = unsafe readdir(list) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in unsafe Array(bytes.prefix { $0 != 0 }) }
            if name != Array(".".utf8) && name != Array("..".utf8) { names.append(name) }
        }
        return names
    }
}
