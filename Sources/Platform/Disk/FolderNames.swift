/// The names in a folder of ours, where nothing has to be checked as in a folder of a person.
import Glibc

package enum FolderNames {
    /// Each but the hidden ones, in no order; none when the folder cannot be read.
    package static func visible(in folder: String) -> [String] { all(in: folder).filter { !$0.hasPrefix(".") } }

    package static func all(in folder: String) -> [String] {
        guard let list = unsafe opendir(folder) else { return [] }
        defer { unsafe _ = closedir(list) }
        var names: [String] = []
        while let entry = unsafe readdir(list) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }
}
