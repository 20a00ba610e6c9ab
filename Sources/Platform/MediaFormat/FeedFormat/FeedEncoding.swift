/// The only common encoding of feeds that libexpat does not support: that of old Windows programs.
import CExpat

enum FeedEncoding {
    private static let names = ["windows-1252", "cp1252", "iso-8859-15"]
    /// Characters for 0x80 to 0x9F; -1 marks a byte without one.
    private static let upper: [Int32] = [
        0x20AC, -1, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, -1, 0x017D, -1,
        -1, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, -1, 0x017E, 0x0178,
    ]

    /// 1 if the encoding is known.
    static func describe(_ name: UnsafePointer<XML_Char>?, _ info: UnsafeMutablePointer<XML_Encoding>?) -> Int32 {
        guard let name = unsafe name, let info = unsafe info, names.contains(unsafe String(cString: name).lowercased()) else { return 0 }
        unsafe withUnsafeMutableBytes(of: &info.pointee.map) { map in
            let map = unsafe map.bindMemory(to: Int32.self)
            for byte in 0..<256 { unsafe map[byte] = 0x80...0x9F ~= byte ? upper[byte - 0x80] : Int32(byte) }
        }
        unsafe info.pointee.data = nil
        unsafe info.pointee.convert = nil
        unsafe info.pointee.release = nil
        return 1
    }
}
