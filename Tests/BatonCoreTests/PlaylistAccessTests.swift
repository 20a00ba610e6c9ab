/// Who sees and changes what belongs to a user, over all combinations. BT-USR-010 BT-USR-011
import Testing

@testable import BatonCore

@Suite struct PlaylistAccessTests {
    private let anna = Person("@anna")
    private let others = [Person("@ben"), Person.home, Person("anna"), Person("@Anna"), Person("")]

    @Test(arguments: PlaylistAccess.Sharing.allCases) func `the owner always sees and changes a list`(sharing: PlaylistAccess.Sharing) {
        let access = PlaylistAccess(owner: anna, sharing: sharing, link: "word")
        #expect(access.isReadable(by: anna) && access.isEditable(by: anna))
    }

    @Test func `others change no list, and see one as far as it is shared`() {
        for other in others {
            for shown in [nil, "word", "wrong", ""] {
                #expect(!PlaylistAccess(owner: anna, sharing: .private, link: "word").isReadable(by: other, showing: shown))
                #expect(PlaylistAccess(owner: anna, sharing: .shared).isReadable(by: other, showing: shown))
                #expect(
                    PlaylistAccess(owner: anna, sharing: .link, link: "word").isReadable(by: other, showing: shown) == (shown == "word"))
                #expect(!PlaylistAccess(owner: anna, sharing: .link, link: nil).isReadable(by: other, showing: shown))
            }
            for sharing in PlaylistAccess.Sharing.allCases { #expect(!PlaylistAccess(owner: anna, sharing: sharing).isEditable(by: other)) }
        }
    }

    @Test func `a room is controlled by those whom its rule allows`() {
        #expect(RoomControl(.all).allows(nil) && RoomControl(.all).allows("ben"))
        #expect(!RoomControl(.users).allows(nil) && RoomControl(.users).allows("ben"))
        let named = RoomControl(.named, names: ["anna"])
        #expect(!named.allows(nil) && !named.allows("ben") && named.allows("anna"))
    }
}
