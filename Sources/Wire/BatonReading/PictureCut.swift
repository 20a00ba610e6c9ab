/// The part of a picture to scale, and its new size. The wanted size is filled, and the parts that stick out on two sides are cut off
/// equally.
package struct PictureCut: Equatable, Sendable {
    /// The part of the picture that is used.
    package var left: Int
    package var top: Int
    package var width: Int
    package var height: Int
    /// Size after scaling.
    package var toWidth: Int
    package var toHeight: Int

    package init(of header: (width: Int, height: Int), for wish: PictureRequest) {
        let (full, tall) = header
        let longest = PictureRequest.longestSide
        func scaled(_ known: Int, from mine: Int, to its: Int) -> Int { min(max((known * mine + its / 2) / its, 1), longest) }
        switch (wish.width, wish.height) {
        case (let width?, let height?): (toWidth, toHeight) = (width, height)
        case (let width?, nil): (toWidth, toHeight) = (width, scaled(width, from: tall, to: full))
        case (nil, let height?): (toWidth, toHeight) = (scaled(height, from: full, to: tall), height)
        case (nil, nil): (toWidth, toHeight) = (full, tall)
        }
        // The largest part that has the wanted shape.
        width = max(1, min(full, (tall * toWidth + toHeight / 2) / toHeight))
        height = max(1, min(tall, (full * toHeight + toWidth / 2) / toWidth))
        left = (full - width) / 2
        top = (tall - height) / 2
    }

    /// Number of times that the sides can be halved while the picture stays at least twice as large as wanted.
    package var halvings: Int { (0...3).last { width >> $0 >= 2 * toWidth && height >> $0 >= 2 * toHeight } ?? 0 }
}

extension PictureCut {
    /// The whole picture, squeezed into a square.
    package init(squeezing size: (width: Int, height: Int), into side: Int) {
        self.init(of: size, for: PictureRequest(width: nil, height: nil, type: .png))
        toWidth = side
        toHeight = side
    }
}
