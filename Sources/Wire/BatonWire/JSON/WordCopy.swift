/// The copy of short texts into a message.
extension UnsafeMutablePointer<UInt8> {
    /// Copies a short text eight or four bytes at a time; the last step may overlap the one before. For a few bytes this takes less time than a
    /// call of `memcpy`.
    @inline(__always)
    func copyWords(from letters: UnsafePointer<UInt8>, count: Int) {
        let (source, target) = (UnsafeRawPointer(letters), UnsafeMutableRawPointer(self))
        if count >= 8 {
            var index = 0
            while index < count - 8 {
                target.storeBytes(of: source.loadUnaligned(fromByteOffset: index, as: UInt64.self), toByteOffset: index, as: UInt64.self)
                index += 8
            }
            let last = count - 8
            target.storeBytes(of: source.loadUnaligned(fromByteOffset: last, as: UInt64.self), toByteOffset: last, as: UInt64.self)
        } else if count >= 4 {
            let last = count - 4
            target.storeBytes(of: source.loadUnaligned(as: UInt32.self), as: UInt32.self)
            target.storeBytes(of: source.loadUnaligned(fromByteOffset: last, as: UInt32.self), toByteOffset: last, as: UInt32.self)
        } else {
            for index in 0..<count { self[index] = letters[index] }
        }
    }
}
