"""HTML of the Markdown that the chapters use: headings, paragraphs, lists, tables, quotes and code. Nothing else is understood.

What a chapter says stays text: everything is escaped before marks are read.
"""

import html
import re

from runner.pages import NAMED

MARK = re.compile(r"\[(BT-[A-Z]+-\d{3})\]")
# Tables from definitions, by the word of the comment before them: their rows are rules.
GENERATED = re.compile(r"<!-- generated: (\w+)")


def anchor(heading):
    """The anchor that a heading gets, as hosts of Markdown make it."""
    return re.sub(r"[^a-z0-9 _-]", "", heading.strip().lower()).replace(" ", "-")


def inline(text, link):
    """A line of text with its marks; `link` makes an address out of the one that the text names."""
    codes = []

    def keep(found):
        codes.append(f"<code>{html.escape(found[1], quote=False)}</code>")
        return f"\0{len(codes) - 1}\0"
    text = html.escape(re.sub(r"`([^`]+)`", keep, text), quote=False)
    text = re.sub(r"\[([^\]]*)\]\(([^)]*)\)", lambda found: f'<a href="{html.escape(link(found[2]))}">{found[1]}</a>', text)
    text = MARK.sub(r'<a class="rule" id="\1" href="#\1">\1</a>', text)
    text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)
    text = re.sub(r"(?<![\w*])\*([^*\s](?:[^*]*[^*\s])?)\*(?![\w*])", r"<em>\1</em>", text)
    return re.sub(r"\0(\d+)\0", lambda found: codes[int(found[1])], text)


def cells(line):
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


class Page:
    """One document, written out block by block."""

    def __init__(self, text, prefix, link):
        self.lines = text.split("\n")
        self.prefix, self.link = prefix, link
        self.at, self.out, self.above = 0, [], ""
        self.headings = []

    def words(self, text):
        return inline(text, self.link)

    def html(self):
        while self.at < len(self.lines):
            self.block()
        return "\n".join(self.out)

    def take(self, holds):
        """The lines from here on for which a condition holds."""
        begin = self.at
        while self.at < len(self.lines) and holds(self.lines[self.at]):
            self.at += 1
        return self.lines[begin:self.at]

    def block(self):
        line = self.lines[self.at]
        if not line.strip() or line.startswith("<!--"):
            if found := GENERATED.match(line):
                self.above = found[1]
            elif line.startswith("<!-- end"):
                self.above = ""
            self.at += 1
        elif line.startswith("```"):
            self.code()
        elif line.startswith("#"):
            self.heading(line)
        elif line.startswith("|"):
            self.table()
        elif re.match(r"(- |\d+\. )", line):
            self.list()
        elif line.startswith("> "):
            self.out.append(f"<blockquote>{self.words(' '.join(each[2:] for each in self.take(lambda each: each.startswith('> '))))}</blockquote>")
        else:
            self.at += 1
            rest = self.take(lambda each: each.strip() and not re.match(r"(```|#|\||- |\d+\. |> |<!--)", each))
            self.out.append(f"<p>{self.words(' '.join(each.strip() for each in [line, *rest]))}</p>")

    def code(self):
        self.at += 1
        text = "\n".join(self.take(lambda each: not each.startswith("```")))
        self.at += 1
        self.out.append(f'<pre tabindex="0"><code>{html.escape(text, quote=False)}</code></pre>')

    def heading(self, line):
        level = len(line) - len(line.lstrip("#"))
        title = line[level:].strip()
        name = self.prefix if level == 1 else f"{self.prefix}--{anchor(title)}"
        self.headings.append((level, name, title.replace("`", "")))
        self.at += 1
        self.out.append(f'<h{level} id="{name}"><a href="#{name}">{self.words(title)}</a></h{level}>')

    def table(self):
        head, _, *rows = self.take(lambda each: each.startswith("|"))
        named = NAMED.get(self.above)
        top = "".join(f"<th>{self.words(cell)}</th>" for cell in cells(head))
        heads = [f' data-head="{html.escape(cell.replace("`", ""))}"' if cell else "" for cell in cells(head)]
        self.out.append(f'<div class="wide" tabindex="0"><table><thead><tr>{top}</tr></thead><tbody>')
        for row in rows:
            names = re.findall(r"`([A-Za-z0-9_.]+)`", cells(row)[0]) if named else []
            said = "".join(f'<span id="BT-{named}-{name}"></span>' for name in names)
            heads += [""] * (len(cells(row)) - len(heads))
            inner = "".join(f"<td{heads[index]}>{'' if index else said}{self.words(cell)}</td>" for index, cell in enumerate(cells(row)))
            self.out.append(f"<tr>{inner}</tr>")
        self.out.append("</tbody></table></div>")

    def list(self):
        kind = "ul" if self.lines[self.at].startswith("- ") else "ol"
        items = []
        while self.at < len(self.lines) and (found := re.match(r"(- |\d+\. )(.*)", self.lines[self.at])):
            self.at += 1
            more = self.take(lambda each: each.startswith("  ") and each.strip())
            items.append(" ".join([found[2], *(each.strip() for each in more)]))
        self.out.append(f"<{kind}>" + "".join(f"<li>{self.words(item)}</li>" for item in items) + f"</{kind}>")
