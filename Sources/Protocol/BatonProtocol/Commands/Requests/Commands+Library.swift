import BatonCore

// How the hub carries out commands about what sources offer.

extension Commands.Search: HubRequest {
    package var request: Request {
        .library(
            .search(
                LibraryRequest.Search(
                    text, kinds: kinds ?? [], source: source, isUnfolded: isUnfolded, isAvailable: isAvailable, page: page)))
    }
}

extension Commands.Item: HubRequest {
    package var request: Request { .library(.item(uri, lyrics: lyrics, media: media)) }
}

extension Commands.RatingSet: HubRequest { package var request: Request { .library(.stars(uri, stars)) } }
extension Commands.Scan: HubRequest { package var request: Request { .library(.scan(isFull: isFull)) } }

extension Commands.Picture: HubRequest {
    package var request: Request { .art(ArtRequest(id: id, width: width, height: height, format: format)) }
}

extension Commands.Browse: HubRequest {
    package var request: Request { .library(.browse(node: node, sort: sort, isUnfolded: isUnfolded, isAvailable: isAvailable, page)) }
}

extension Commands.PlayedHistory: HubRequest {
    package var request: Request { .library(.history(page)) }
}

extension Commands.FavouriteSet: HubRequest { package var request: Request { .library(.favourite(uri, isOn)) } }

extension Commands.Folders: HubRequest {
    package var request: Request { .library(.folders(in: path)) }
}

extension Commands.FolderSet: HubRequest { package var request: Request { .library(.setFolder(path, isWanted: isOn, holds: holds)) } }

extension Commands.Split: HubRequest { package var request: Request { .library(.split(uri, from: from, isOn)) } }
