"""A badge: a picture as SVG that says how well a program keeps its levels."""

from xml.sax.saxutils import escape

GOOD, BAD, PLAIN = "#12692e", "#b00020", "#444"
# Widths of characters in the font at 11 px; a guess that is a little wide is better than text beyond the edge.
NARROW, WIDE, USUAL = set("iljt.,:;|!'()[] fr"), set("mwMW@%"), 6.8


def width(text):
    return sum(4 if char in NARROW else 9.5 if char in WIDE else USUAL for char in text) + 12


def svg(levels, title="Baton"):
    """The badge for results of levels, as `Levels.results` gives them."""
    kept = bool(levels) and all(one["kept"] for one in levels)
    said = " · ".join(f"{one['level']} {one['version']}" + ("" if one["kept"] else f" {one['passed']}/{one['asked']}") for one in levels) or "not judged"
    left, right = width(title), width(said)
    whole, label = left + right, escape(f"{title}: {said}")
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole:.0f}" height="20" role="img" aria-label="{label}"><title>{label}</title>'
            f'<rect width="{whole:.0f}" height="20" rx="3" fill="{PLAIN}"/><rect x="{left:.0f}" width="{right:.0f}" height="20" rx="3" fill="{GOOD if kept else BAD}"/>'
            f'<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"><text x="6" y="14">{escape(title)}</text>'
            f'<text x="{left + 6:.0f}" y="14">{escape(said)}</text></g></svg>\n')
