/// The areas of the screen, for each size.
///
/// A head of one row and a foot of two or three are always there. The space between shows the current item, a list,
/// or both side by side.
struct TopLayout: Equatable {
    /// Smallest usable size; below it a sentence says so.
    static let fewestColumns = 20
    static let fewestRows = 5
    /// Width from which the current item and a list are side by side.
    private static let wide = 100
    private static let high = 16

    let isTooSmall: Bool
    let head: Area
    /// The current item; empty if the list takes all space.
    var now: Area
    /// The head of the list, for instance with the search field.
    var listHead: Area
    var list: Area
    /// The name of the current item, below a list that takes all space.
    let nowLine: Area
    let progress: Area
    let foot: Area

    init(_ model: TopModel) {
        let (columns, rows) = (model.columns, model.rows)
        isTooSmall = columns < Self.fewestColumns || rows < Self.fewestRows
        let isWide = columns >= Self.wide && rows >= Self.high
        let hasNowLine = !isWide && model.view != .now && rows >= 10
        head = Area(0, 0, height: 1, width: columns)
        foot = Area(rows - 1, 0, height: 1, width: columns)
        progress = Area(rows - 2, 0, height: 1, width: columns)
        nowLine = Area(rows - 3, 0, height: hasNowLine ? 1 : 0, width: columns)
        // A high screen has an empty row below its head and above its foot.
        let top = rows >= Self.high ? 2 : 1
        let bottom = rows - 2 - (hasNowLine ? 1 : 0) - (rows >= Self.high ? 1 : 0)
        let body = Area(top, 0, height: bottom - top, width: columns)
        if isWide {
            let left = min(64, columns * 38 / 100)
            now = Area(top, 1, height: body.height, width: left - 2)
            list = Area(top, left + 1, height: body.height, width: columns - left - 2)
        } else if model.view == .now {
            now = Area(top, columns >= 60 ? 1 : 0, height: body.height, width: columns - (columns >= 60 ? 2 : 0))
            list = Area(top, 0, height: 0, width: columns)
        } else {
            now = Area(top, 0, height: 0, width: columns)
            list = body
        }
        let headRows = model.list == .library ? min(1, list.height) : 0
        listHead = Area(list.row, list.column, height: headRows, width: list.width)
        list = Area(list.row + headRows, list.column, height: list.height - headRows, width: list.width)
    }

    /// The area of the cover in the current item's area: a square, with twice as many columns as rows. `nil` if it
    /// would be too small to recognise.
    func cover(isWide: Bool) -> Area? {
        let height = isWide ? min(now.width / 2, now.height - 7) : min(now.height, now.width * 45 / 100 / 2)
        guard height >= 4, isWide || now.width - height * 2 >= Self.fewestColumns else { return nil }
        return Area(now.row, now.column, height: height, width: height * 2)
    }

    var isWide: Bool { !now.isEmpty && !list.isEmpty }
}
