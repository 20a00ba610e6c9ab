/// Numbers of bytes as people write and read them.
import BatonSeams
import Testing

@Suite struct ByteSizeTests {
    @Test(
        arguments: [
            ("0", 0), ("20G", 20 << 30), ("20 gib", 20 << 30), ("1K", 1024), ("7 b", 7), ("", nil), ("G", nil), ("1.5G", nil), ("-1", nil),
            ("99999999T", nil),
        ] as [(String, Int64?)]) func `a number with or without a unit is a size`(text: String, bytes: Int64?)
    {
        #expect(ByteSize.bytes(in: text) == bytes)
    }

    @Test(
        arguments: [
            (0, "0 bytes"), (1, "1 byte"), (1023, "1023 bytes"), (1024, "1 KiB"), (1536, "1.5 KiB"), (750_768, "733 KiB"),
            (20 << 30, "20 GiB"),
            (Int64.max, "8388607 TiB"),
        ] as [(Int64, String)]) func `a size is told with the unit that suits it`(bytes: Int64, text: String)
    {
        #expect(ByteSize.text(bytes) == text)
    }
}
