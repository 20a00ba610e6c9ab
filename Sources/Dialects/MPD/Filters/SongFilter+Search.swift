import BatonSeams

extension SongFilter {
    /// The conditions of the filter by which the store can leave out songs. Each song that matches the filter matches these.
    var search: SongSearch {
        var search = SongSearch()
        narrow(&search)
        return search
    }

    /// The folder that the filter is limited to; `nil` without one. The original looks for it first, and says when there is none.
    var base: String? {
        switch self {
        case .base(let folder): folder
        case .all(let filters): filters.lazy.compactMap(\.base).first
        default: nil
        }
    }

    private func narrow(_ search: inout SongSearch) {
        switch self {
        case .all(let filters): for filter in filters { filter.narrow(&search) }
        case .base(let folder): if folder.utf8.count > search.folder.utf8.count { search.folder = folder }
        case .changedSince(let second): search.changedSince = max(second, search.changedSince ?? .min)
        case .addedSince(let second): search.addedSince = max(second, search.addedSince ?? .min)
        case .tag(let name, let test) where name.isIdentifier && !test.mayBeIdentifier: break
        case .tag(_, let test), .anyTag(let test), .path(let test):
            guard !test.isNegated, test.relation != .matches, !test.value.isEmpty else { return }
            search.texts.append(test.value)
        case .not, .format: break
        }
    }
}

extension TextTest {
    /// True for a text by which the store finds identifiers, too. They have no meaning, so it keeps no short parts of them.
    fileprivate var mayBeIdentifier: Bool {
        value.utf8.count >= 8
            && value.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) || $0 == UInt8(ascii: "-") }
    }
}

extension TagName {
    /// True for ids of MusicBrainz.
    fileprivate var isIdentifier: Bool {
        switch self {
        case .artistID, .albumID, .albumArtistID, .trackID, .releaseTrackID, .workID: true
        default: false
        }
    }
}
