import Testing

@testable import BatonReading

/// What of pictures is decided without a decoder.
@Suite struct PictureDecisionTests {
    @Test func `a cut covers the wanted size and loses equal parts at two sides`() {
        let square = PictureCut(of: (300, 200), for: PictureRequest(width: 100, height: 100, type: .jpeg))
        let wide = PictureCut(of: (300, 200), for: PictureRequest(width: 150, height: nil, type: .jpeg))
        let own = PictureCut(of: (300, 200), for: PictureRequest(width: nil, height: nil, type: .jpeg))

        #expect([square.left, square.top, square.width, square.height] == [50, 0, 200, 200])
        #expect([wide.left, wide.top, wide.width, wide.height, wide.toWidth, wide.toHeight] == [0, 0, 300, 200, 150, 100])
        #expect([own.width, own.height, own.toWidth, own.toHeight] == [300, 200, 300, 200])
    }

    @Test(arguments: [(1, 16_384), (16_384, 1), (1, 1), (3, 7)]) func `no shape is too odd to cut`(width: Int, height: Int) {
        for wish in [(1, 2_048), (2_048, 1), (2_048, 2_048), (1, nil), (nil, 2_048)] as [(Int?, Int?)] {
            let cut = PictureCut(of: (width, height), for: PictureRequest(width: wish.0, height: wish.1, type: .png))
            #expect((1...2_048).contains(cut.toWidth) && (1...2_048).contains(cut.toHeight))
            #expect(cut.left >= 0 && cut.top >= 0 && cut.width > 0 && cut.height > 0)
            #expect(cut.left + cut.width <= width && cut.top + cut.height <= height)
        }
    }

    @Test(arguments: 0..<200) func `the accent can always be read on the ground`(seed: UInt64) {
        var state = seed &+ 1
        var pixels: [UInt8] = []
        for _ in 0..<64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let colour = [UInt8(state >> 33 & 0xFF), UInt8(state >> 41 & 0xFF), UInt8(state >> 49 & 0xFF), 255]
            for _ in 0..<(1 + state >> 60) { pixels += colour }
        }

        let colours = PictureColours(rgba: pixels)

        #expect(colours.accent.contrast(to: colours.ground) >= PictureColours.contrast)
    }

    @Test func `a picture of nothing has colours all the same`() {
        #expect(PictureColours(rgba: []).numbers == [0xFF_FFFF, 0])
        #expect(PictureColours(rgba: [UInt8](repeating: 0, count: 400)).numbers == [0xFF_FFFF, 0])
        let grey = PictureColours(rgba: Array(repeating: [128, 128, 128, 255], count: 100).flatMap { $0 })
        #expect(grey.ground.number == 0x80_8080 && grey.accent.contrast(to: grey.ground) >= 3)
    }
}
