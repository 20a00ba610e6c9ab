import Terminals

/// The abilities that the terminal has reported. It is asked at the start; without an answer only the basics are used.
struct TerminalAbilities: Equatable, Sendable {
    private(set) var isSynchronised = false
    private(set) var pictures = PictureWay.halfBlocks
    /// The size of a cell in dots; 0 while unknown.
    private(set) var cellWidth = 0
    private(set) var cellHeight = 0
    private var hasKitty = false
    private var hasSixel = false

    private static let sixel = 4

    /// Queries for kitty pictures (one hidden dot), the size of a cell, synchronised updates, and device attributes.
    /// All terminals answer the last, so it marks the end.
    static let questions = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[16t\u{1B}[?2026$p\u{1B}[c"

    mutating func take(_ answer: TerminalAnswer) {
        switch answer {
        case .kitty: hasKitty = true
        case .cell(let width, let height): (cellWidth, cellHeight) = (width, height)
        case .synchronised: isSynchronised = true
        case .attributes(let numbers): hasSixel = numbers.dropFirst().contains(Self.sixel)
        }
        choose()
    }

    /// Sets the cell size from the kernel, until the terminal answers.
    mutating func guess(cellWidth: Int, cellHeight: Int) {
        guard cellWidth > 0, cellHeight > 0 else { return }
        (self.cellWidth, self.cellHeight) = (cellWidth, cellHeight)
        choose()
    }

    /// Selects the way to draw pictures. Sixel pictures have a fixed size in dots, so without the size of a cell they
    /// could cover other text.
    private mutating func choose() {
        if hasKitty { pictures = .kitty } else if hasSixel, cellWidth > 0 { pictures = .sixel }
    }
}

/// A cover that fits the screen.
struct PictureWish: Equatable, Sendable {
    let id: String
    let area: Area
    let way: PictureWay
    /// The size in dots.
    let width: Int
    let height: Int

    /// Limit of dots; more would only take longer to send.
    private static let mostDots = 320

    init(id: String, area: Area, abilities: TerminalAbilities) {
        (self.id, self.area, way) = (id, area, abilities.pictures)
        switch way {
        case .halfBlocks: (width, height) = (area.width, area.height * 2)
        case .sixel: (width, height) = (area.width * abilities.cellWidth, area.height * abilities.cellHeight)
        case .kitty:
            let side = min(Self.mostDots, area.height * (abilities.cellHeight > 0 ? abilities.cellHeight : 20))
            (width, height) = (side, side)
        }
    }

    /// The cover from the hub's file; `nil` if it cannot be decoded.
    func cover(_ file: [UInt8]) -> TopModel.Cover? {
        var cover = TopModel.Cover(id: id, area: area)
        switch way {
        case .kitty: cover.placed = ScreenPicture(name: id, area: area, bytes: KittyPicture.bytes(png: file, area))
        case .halfBlocks:
            guard let pixels = PixelPicture(png: file) else { return nil }
            cover.pixels = pixels
        case .sixel:
            guard let pixels = PixelPicture(png: file) else { return nil }
            cover.placed = ScreenPicture(name: id, area: area, bytes: SixelPicture.bytes(pixels))
        }
        return cover
    }
}
