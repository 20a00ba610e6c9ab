import BatonCore
package import BatonProtocol

/// How `ArtTransfer` is written as JSON and read from it.
extension ArtTransfer {
    package func encode(into writer: inout JSONWriter) {
        writer.object { answer in
            answer.member("xfer", number)
            answer.member("total", total)
            answer.member("fmt", format)
            answer.member("w", width)
            answer.member("h", height)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        self.init(
            number: try fields.required("xfer", fields.int("xfer", in: 0...0xFFFF)),
            total: try fields.required("total", fields.count("total")),
            format: try fields.required("fmt", fields.text("fmt")),
            width: try fields.required("w", fields.count("w")),
            height: try fields.required("h", fields.count("h")))
    }
}
