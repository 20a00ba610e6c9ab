// Compresses the page's texts with zlib during the build. Programs do not link zlib for it.
import CZlib

/// The bytes as a gzip member without a name or a time, so that equal bytes give an equal result on every machine.
func gzipped(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    guard czlib_begin_gzip(&stream) == Z_OK else { refuse("PageEmbedder: error: zlib does not start.") }
    defer { deflateEnd(&stream) }
    // Large enough for any input, so one call compresses everything.
    var packed = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(bytes.count))))
    var input = bytes
    let result = input.withUnsafeMutableBufferPointer { source in
        packed.withUnsafeMutableBufferPointer { target in
            stream.next_in = source.baseAddress
            stream.avail_in = uInt(source.count)
            stream.next_out = target.baseAddress
            stream.avail_out = uInt(target.count)
            return deflate(&stream, Z_FINISH)
        }
    }
    guard result == Z_STREAM_END else { refuse("PageEmbedder: error: zlib answered \(result).") }
    return Array(packed.prefix(Int(stream.total_out)))
}
