"""What the Sappho stand-in answers of favourites, ratings, collections and recaps."""
from sappho_books import Refused, moment
from sappho_table import route


# ---- Favourites, ratings, lists

@route("GET", "/api/audiobooks/:number/favorite")
def is_favourite(call, number):
    return {"is_favorite": (call.id, number) in call.shelf.favourites}


def set_favourite(call, number, is_on):
    call.shelf.book(number)
    call.shelf.favourites.pop((call.id, number), None)
    if is_on:
        call.shelf.favourites[call.id, number] = {"favorited_at": moment(call.shelf.now()), "priority": 0, "list_order": len(call.shelf.favourites)}
    return {"success": True, "is_favorite": is_on}


@route("POST", "/api/audiobooks/:number/favorite")
def add_favourite(call, number):
    return set_favourite(call, number, True)


@route("DELETE", "/api/audiobooks/:number/favorite")
def remove_favourite(call, number):
    return set_favourite(call, number, False)


@route("GET", "/api/ratings/audiobook/:number")
def rating(call, number):
    return call.shelf.ratings.get((call.id, number))


@route("POST", "/api/ratings/audiobook/:number")
def rate(call, number):
    is_new, row = call.shelf.rate(call.id, number, call.body)
    return (201 if is_new else 200), row


@route("DELETE", "/api/ratings/audiobook/:number")
def unrate(call, number):
    call.shelf.ratings.pop((call.id, number), None)
    return {"message": "Rating deleted"}


@route("GET", "/api/ratings/audiobook/:number/average")
def average(call, number):
    return call.shelf.average(number)


@route("GET", "/api/ratings/my-ratings")
def my_ratings(call):
    return [{**row, "title": call.shelf.books[number]["title"]} for (who, number), row in call.shelf.ratings.items() if who == call.id]


@route("GET", "/api/collections")
def collections(call):
    rows = [one for one in call.shelf.collections.values() if one["is_public"] or one["user_id"] == call.id]
    return [call.shelf.collection_row(one, call.id) for one in rows]


@route("POST", "/api/collections")
def new_collection(call):
    return 201, call.shelf.new_collection(call.user, call.body)


@route("GET", "/api/collections/for-book/:number")
def collections_of(call, number):
    rows = [one for one in call.shelf.collections.values() if one["user_id"] == call.id]
    return [{**call.shelf.collection_row(one, call.id), "contains_book": int(number in one["books"])} for one in rows]


@route("GET", "/api/collections/:number")
def collection(call, number):
    return call.shelf.collection_books(call.shelf.collection(number, call.id), call.id)


@route("PUT", "/api/collections/:number")
def change_collection(call, number):
    one = call.shelf.collection(number, call.id, to_change=True)
    one.update({name: call.body[name] for name in ("name", "description", "is_public") if name in call.body})
    one["is_public"] = int(one["is_public"])
    one["updated_at"] = moment(call.shelf.now())
    return call.shelf.collection_row(one, call.id)


@route("DELETE", "/api/collections/:number")
def delete_collection(call, number):
    call.shelf.collection(number, call.id, to_change=True)
    del call.shelf.collections[number]
    return {"message": "Collection deleted"}


@route("POST", "/api/collections/:number/items")
def add_item(call, number):
    one, wanted = call.shelf.collection(number, call.id, to_change=True), call.body.get("audiobook_id")
    call.shelf.book(wanted)
    if wanted in one["books"]:
        raise Refused(409, "Book already in collection")
    one["books"].append(wanted)
    return 201, {"message": "Book added"}


@route("PUT", "/api/collections/:number/items/reorder")
def reorder(call, number):
    one, order = call.shelf.collection(number, call.id, to_change=True), call.body.get("order") or []
    if invalid := [name for name in order if name not in one["books"]]:
        raise Refused(400, "Unknown books", invalid_ids=invalid)
    one["books"] = order + [name for name in one["books"] if name not in order]
    return {"message": "Order updated"}


@route("DELETE", "/api/collections/:number/items/:number")
def remove_item(call, number, item):
    one = call.shelf.collection(number, call.id, to_change=True)
    if item in one["books"]:
        one["books"].remove(item)
    return {"message": "Book removed"}


# ---- Recaps

def recap_of(call, about):
    if call.state.behaviour.recaps != "1":
        raise Refused(400, "AI is not configured")
    return {"recap": f"What happened in {about}.", "cached": True, "cachedAt": moment(call.shelf.now())}


@route("GET", "/api/audiobooks/:number/recap")
def book_recap(call, number):
    one = call.shelf.book(number)
    if not call.shelf.place(call.id, number)["position"]:
        raise Refused(400, "No progress yet")
    return {**recap_of(call, one["title"]), "book": {"id": number, "title": one["title"]}, "priorBooks": []}


@route("GET", "/api/series/:word/recap")
def series_recap(call, name):
    books = call.shelf.of_series(name)
    if not books:
        raise Refused(404, "Series not found")
    read = [one for one in books if call.shelf.place(call.id, one["id"])["position"]]
    if not read:
        raise Refused(400, "No progress in this series")
    return {**recap_of(call, name), "booksIncluded": [{"id": one["id"], "title": one["title"], "position": one["series_position"]} for one in read]}
