"use strict";
// The parts of the document: each heading with the text below it, up to the next heading.
const parts = [];
for (const section of document.querySelectorAll("main > section")) {
  const chapter = section.querySelector("h1")?.textContent ?? "";
  for (const block of section.children) {
    if (/^H[1-4]$/.test(block.tagName)) parts.push({ id: block.id, title: block.textContent, chapter, text: "" });
    else if (parts.length) parts.at(-1).text += " " + block.innerText.replace(/\s+/g, " ");
  }
}
for (const part of parts) part.low = (part.title + " " + part.text).toLowerCase();

const input = document.getElementById("search"), found = document.getElementById("found");
const nav = document.getElementById("chapters"), wide = matchMedia("(min-width: 72rem)");
const fit = () => { nav.open = wide.matches; };
fit();
wide.addEventListener("change", fit);

function snippet(part, words) {
  const at = Math.max(0, part.text.toLowerCase().indexOf(words.find(word => part.text.toLowerCase().includes(word)) ?? "") - 60);
  return (at ? "…" : "") + part.text.slice(at, at + 180).trim() + "…";
}

// Rules by their id come first, then titles that are or begin with the words, then all that have every word.
function results(query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return [];
  const rules = [...document.querySelectorAll("[id^='BT-']")].filter(each => each.id.toLowerCase().startsWith(words[0]) && words.length === 1);
  const named = rules.slice(0, 20).map(each => ({ id: each.id, title: each.id, chapter: each.closest("section").querySelector("h1").textContent,
    text: (each.closest("tr, li, p") ?? each).textContent }));
  // "vol step" is meant for vol.step.
  const plain = text => text.toLowerCase().replaceAll(".", " ").trim(), whole = plain(words.join(" "));
  const rank = part => {
    const title = plain(part.title);
    return title === whole ? 0 : title.startsWith(whole) ? 1 : words.every(word => title.includes(plain(word))) ? 2 : 3;
  };
  const having = parts.filter(part => words.every(word => part.low.includes(word))).sort((a, b) => rank(a) - rank(b)).slice(0, 40);
  return [...named, ...having].map(part => ({ ...part, words }));
}

function show() {
  const list = results(input.value);
  found.hidden = !input.value.trim();
  found.replaceChildren(...list.map(part => {
    const link = document.createElement("a"), small = document.createElement("small");
    link.href = "#" + part.id;
    small.textContent = part.chapter + " · " + snippet(part, part.words);
    link.append(part.title, small);
    return link;
  }));
  if (!list.length) found.append(Object.assign(document.createElement("p"), { textContent: "Nothing has all of these words." }));
}

function close() { input.value = ""; show(); input.blur(); }

input.addEventListener("input", show);
input.form.addEventListener("submit", event => { event.preventDefault(); found.querySelector("a")?.click(); });
found.addEventListener("click", event => { if (event.target.closest("a")) setTimeout(close); });
nav.addEventListener("click", event => { if (event.target.closest("a")) fit(); });
addEventListener("keydown", event => {
  if (event.key === "Escape") close();
  if (event.key === "/" && document.activeElement !== input) { event.preventDefault(); input.focus(); }
});
