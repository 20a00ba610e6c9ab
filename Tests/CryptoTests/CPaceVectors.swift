/// The vectors that the draft of CPace publishes for X25519 with SHA-512, as numbers and nothing else.
///
/// Source: `testvectors.json` and appendix "Test vector for CPace using group X25519 and hash SHA-512" of
/// draft-irtf-cfrg-cpace, from the repository cfrg/draft-irtf-cfrg-cpace. Licence: contributions to the
/// IETF, whose code components (test vectors among them) are under the Revised BSD License by the IETF
/// Trust's Legal Provisions, section 4.
enum CPaceVectors {
    static let prs = hex("50617373776F7264")
    static let ci = hex("0B415F696E69746961746F720B425F726573706F6E646572")
    static let sid = hex("7E4B4791D6A8EF019B936C79FB7F2C57")
    static let generatorString = hex(
        """
        0843506163653235350850617373776f72646d000000000000000000
        00000000000000000000000000000000000000000000000000000000
        00000000000000000000000000000000000000000000000000000000
        00000000000000000000000000000000000000000000000000000000
        00000000000000000000000000000000180b415f696e69746961746f
        720b425f726573706f6e646572107e4b4791d6a8ef019b936c79fb7f
        2c57
        """)
    static let generator = hex("D04BF6D41F6A289632A2E929FA29BEBD51092512A7829FDDE7D314B62F05A73F")
    static let ya = hex("21B4F4BD9E64ED355C3EB676A28EBEDAF6D8F17BDC365995B319097153044080")
    static let ada = hex("414461")
    static let shareA = hex("1D13C89278CDADD826F6D8D7F887701430F8380DDC17611CDD6DC989CE0C9F32")
    static let yb = hex("848B0779FF415F0AF4EA14DF9DD1D3C29AC41D836C7808896C4EBA19C51AC40A")
    static let adb = hex("414462")
    static let shareB = hex("248CCCF6D5CDC3646F0AD593F9E6CEF4E69D4945F8372E623512ECEA32185623")
    static let secret = hex("5B067EFFBDC0B2A0E1D907B21EBB25CFEDB96A852179A847C37E43EE71322C6B")
    static let sessionKey = hex(
        """
        6E19B875F7A561D6B3CA3DBB9EF42AC55DE3E717881018204B8922B4D5E53BB2
        AA82C300BEA7B65D2B671DA71922DDF6472301B79BC270ADFA8BF413285F2263
        """)

    /// Points to multiply with `scalar`. No product: the neutral element, at which both sides stop.
    static let scalar = hex("af46e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449aff")
    static let points: [(point: [UInt8], product: [UInt8]?)] = [
        (hex("0000000000000000000000000000000000000000000000000000000000000000"), nil),
        (hex("0100000000000000000000000000000000000000000000000000000000000000"), nil),
        (hex("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"), nil),
        (hex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"), nil),
        (hex("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"), nil),
        (hex("edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"), nil),
        (
            hex("daffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
            hex("d8e2c776bbacd510d09fd9278b7edcd25fc5ae9adfba3b6e040e8d3b71b21806")
        ),
        (hex("eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"), nil),
        (
            hex("dbffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
            hex("c85c655ebe8be44ba9c0ffde69f2fe10194458d137f09bbff725ce58803cdb38")
        ),
        (
            hex("d9ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
            hex("db64dafa9b8fdd136914e61461935fe92aa372cb056314e1231bc4ec12417456")
        ),
        (
            hex("cdeb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b880"),
            hex("e062dcd5376d58297be2618c7498f55baa07d7e03184e8aada20bca28888bf7a")
        ),
        (
            hex("4c9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f11d7"),
            hex("993c6ad11c4c29da9a56f7691fd0ff8d732e49de6250b6c2e80003ff4629a175")
        ),
    ]
}

/// Bytes from hexadecimal digits; white space does not count.
func hex(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
