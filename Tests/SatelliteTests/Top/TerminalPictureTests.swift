import BatonCore
import Terminals
import Testing

@testable import baton

@Suite struct `Covers on a terminal` {
    private func picture(_ width: Int, _ height: Int) -> PixelPicture {
        PixelPicture(width: width, height: height, rgb: (0..<width * height * 3).map { UInt8($0 * 37 % 256) })
    }

    @Test func `the terminal is asked, and half blocks are shown until it has answered`() {
        var abilities = TerminalAbilities()
        #expect(abilities.pictures == .halfBlocks)
        abilities.take(.attributes([62, 4]))
        // A picture as large as its dots cannot be placed without the size of a cell.
        #expect(abilities.pictures == .halfBlocks)
        abilities.take(.cell(width: 10, height: 20))
        #expect(abilities.pictures == .sixel)
        abilities.take(.kitty)
        #expect(abilities.pictures == .kitty)
        #expect(PictureWish(id: "p", area: Area(0, 0, height: 8, width: 16), abilities: abilities).width == 160)
    }

    @Test func `the number of the terminal's kind is no ability`() {
        var abilities = TerminalAbilities()
        abilities.guess(cellWidth: 10, cellHeight: 20)
        abilities.take(.attributes([4, 22]))
        #expect(abilities.pictures == .halfBlocks)
    }

    @Test func `kitty gets the file in pieces that its protocol allows`() {
        let file = (0..<10_000).map { UInt8($0 % 251) }
        let text = String(decoding: KittyPicture.bytes(png: file, Area(2, 3, height: 8, width: 16)), as: UTF8.self)
        let pieces = text.split(separator: "\u{1B}\\")
        #expect(pieces.count == 4)
        #expect(pieces[0].hasPrefix("\u{1B}_Ga=T,f=100,i=77,q=2,C=1,c=16,r=8,m=1;"))
        #expect(pieces.dropFirst().dropLast().allSatisfy { $0.hasPrefix("\u{1B}_Gm=1;") } && pieces[3].hasPrefix("\u{1B}_Gm=0;"))
        #expect(pieces.allSatisfy { $0.split(separator: ";").last!.count <= 4096 })
        #expect(pieces.map { $0.split(separator: ";").last! }.joined().count == 13_336)
    }

    @Test func `a sixel picture has each dot in the colour nearest to it`() throws {
        let red = PixelPicture(width: 7, height: 9, rgb: Array(repeating: [255, 0, 0], count: 63).flatMap { $0 })
        let text = String(decoding: SixelPicture.bytes(red), as: UTF8.self)
        #expect(text == "\u{1B}P0;1q\"1;1;7;9#180;2;100;0;0#180!7~$-#180!7F$-\u{1B}\\")
    }

    @Test func `a picture goes when another screen is shown, and is not sent again while it stays`() {
        let area = Area(0, 0, height: 1, width: 2)
        var with = Frame(width: 4, height: 1)
        with.picture = ScreenPicture(name: "a", area: area, bytes: KittyPicture.bytes(png: [1], area))
        let without = Frame(width: 4, height: 1)
        #expect(FrameWriter.bytes(from: with, to: with, .full).isEmpty)
        #expect(String(decoding: FrameWriter.bytes(from: without, to: with, .full), as: UTF8.self).hasPrefix("\u{1B}[1;1H\u{1B}_Ga=T"))
        #expect(String(decoding: FrameWriter.bytes(from: with, to: without, .full), as: UTF8.self) == KittyPicture.removal)

        var sixel = without
        sixel.picture = ScreenPicture(name: "a", area: area, bytes: SixelPicture.bytes(picture(4, 6)))
        #expect(String(decoding: FrameWriter.bytes(from: sixel, to: without, .full), as: UTF8.self) == "\u{1B}[1;1H  ")
    }
}
