/// Which part of a picture becomes which size: the wanted size is covered, and what stands out at two
/// sides is cut away in equal parts.
package struct PictureCut: Equatable, Sendable {
    /// The part that is kept.
    package var left: Int
    package var top: Int
    package var width: Int
    package var height: Int
    /// What it becomes.
    package var toWidth: Int
    package var toHeight: Int

    package init(of header: (width: Int, height: Int), for wish: PictureRequest) {
        let (full, tall) = header
        let longest = PictureRequest.longestSide
        func other(_ known: Int, _ mine: Int, _ its: Int) -> Int { min(max((known * mine + its / 2) / its, 1), longest) }
        switch (wish.width, wish.height) {
        case (let width?, let height?): (toWidth, toHeight) = (width, height)
        case (let width?, nil): (toWidth, toHeight) = (width, other(width, tall, full))
        case (nil, let height?): (toWidth, toHeight) = (other(height, full, tall), height)
        case (nil, nil): (toWidth, toHeight) = (full, tall)
        }
        // The shape that is wanted, as large as it fits in.
        width = max(1, min(full, (tall * toWidth + toHeight / 2) / toHeight))
        height = max(1, min(tall, (full * toHeight + toWidth / 2) / toWidth))
        left = (full - width) / 2
        top = (tall - height) / 2
    }

    /// How often the sides can be halved before there is less to see than is wanted.
    package var halvings: Int { (0...3).last { width >> $0 >= 2 * toWidth && height >> $0 >= 2 * toHeight } ?? 0 }
}

extension PictureCut {
    /// All of it, in a square.
    package init(squeezing size: (width: Int, height: Int), into side: Int) {
        self.init(of: size, for: PictureRequest(width: nil, height: nil, type: .png))
        toWidth = side
        toHeight = side
    }
}
