import BatonCore

/// A sticker that is a mark of the hub, too.
enum MarkSticker: String, CaseIterable {
    /// Two points for each star.
    case rating
    /// 2 for a favourite.
    case like

    /// The value that is shown. One that was stored stays as long as the mark says the same.
    func value(of mark: ItemMark, stored: String?) -> String? {
        // A text that is no number says as little as none.
        let number = stored.flatMap { Int($0) } ?? 0
        switch self {
        case .rating:
            if stored != nil, (max(0, min(10, number)) + 1) / 2 == mark.stars { return stored }
            return mark.stars > 0 ? String(mark.stars * 2) : nil
        case .like:
            if stored != nil, (number >= 2) == mark.isFavourite { return stored }
            return mark.isFavourite ? "2" : nil
        }
    }
}
