"""What is wrong with the layout of a screen, found from the boxes of what is in sight: controls and texts that leave the screen, lie on
one another, or are cut."""

# Gives one sentence for each fault. A box is cut to what its scrolling ancestors show of it. Where a text is longer than its line by
# design, an ellipsis or a limit of lines says so and only its height is checked.
FAULTS = r"""
  const round = document.documentElement.classList.contains('round'), middle = innerWidth / 2, slack = 1.5;
  const name = e => `${e.tagName.toLowerCase()}${e.id ? '#' + e.id : ''}${e.classList.length ? '.' + [...e.classList].join('.') : ''} “${(e.ariaLabel ?? e.textContent).trim().slice(0, 30)}”`;
  const dialog = document.querySelector('dialog[open]'), scope = dialog ?? document.getElementById('wall') ?? document.querySelector('main') ?? document.body;
  const isSeen = e => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !e.closest('.unseen, #sheet:not([open]), #wall ~ main, [inert]');
  const clips = e => /hidden|auto|scroll|clip/.test(getComputedStyle(e).overflowX + getComputedStyle(e).overflowY);
  // The lines of a sheet scroll between its title and the button that leaves it.
  const stuck = [...dialog?.querySelectorAll('.acts > *') ?? []].filter(e => getComputedStyle(e).position === 'sticky');
  const cut = (box, from, e = from) => {
    let { left, top, right, bottom } = box;
    for (const other of stuck.filter(other => !other.contains(e))) {
      const b = other.getBoundingClientRect();
      if (other.matches('h2')) top = Math.max(top, b.bottom); else bottom = Math.min(bottom, b.top);
    }
    for (let at = from; at && at !== document.documentElement; at = at.parentElement) {
      if (!clips(at)) continue;
      const b = at.getBoundingClientRect();
      [left, top, right, bottom] = [Math.max(left, b.left), Math.max(top, b.top), Math.min(right, b.right), Math.min(bottom, b.bottom)];
    }
    return { left, top, right, bottom, width: right - left, height: bottom - top };
  };
  const isThere = b => b.width > 1 && b.height > 1;
  const text = b => [b.left, b.top, b.right, b.bottom].map(Math.round).join(' ');
  const over = (a, b, by = slack) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > by && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > by;
  const faults = [];
  // The remote is one screen; the pages before it are documents, which scroll.
  const isScreen = getComputedStyle(document.body).overflow === 'hidden';
  const leaves = (b, e) => b.left < -slack || b.right > innerWidth + slack || isScreen && (b.top < -slack || b.bottom > innerHeight + slack)
    || round && !dialog && [[b.left, b.top], [b.right, b.top], [b.left, b.bottom], [b.right, b.bottom]].some(([x, y]) => Math.hypot(x - middle, y - middle) > middle + slack);

  const root = document.documentElement;
  if (root.scrollWidth > innerWidth + 1 || isScreen && root.scrollHeight > innerHeight + 1) faults.push(`the page scrolls: ${root.scrollWidth}x${root.scrollHeight}`);
  // What scrolls up and down must not hide anything at its sides.
  for (const e of scope.querySelectorAll('#panel > *, #side > *, #face > *, .scroller')) if (isSeen(e) && e.scrollWidth > e.clientWidth + 1) faults.push(`${name(e)} is ${e.scrollWidth} wide in ${e.clientWidth}`);
  if (dialog && dialog.scrollWidth > dialog.clientWidth + 1) faults.push(`the sheet is ${dialog.scrollWidth} wide in ${dialog.clientWidth}`);

  const controls = [...scope.querySelectorAll('button, a[href], input, select, [role=slider], summary')].filter(e => isSeen(e) && !e.closest('.strip'))
    .map(e => ({ e, box: cut(e.getBoundingClientRect(), e.parentElement, e) })).filter(({ box }) => isThere(box));
  // Drawn thin and touched large, or a whole area that is pressed: they lie on texts on purpose, never on another button.
  const isArea = e => ['seek', 'past', 'open', 'say'].includes(e.id) || e.closest('.letters') || e.matches('#what a');
  for (const { e, box } of controls) if (!isArea(e) && leaves(box, e)) faults.push(`${name(e)} leaves the screen: ${text(box)}`);
  controls.forEach(({ e, box }, index) => {
    for (const { e: other, box: there } of controls.slice(index + 1)) {
      if (e.contains(other) || other.contains(e) || isArea(e) || isArea(other)) continue;
      // A tile's menu stands in the corner of its texts, which leave room for it.
      if (e.closest('.tile') && e.closest('.tile') === other.closest('.tile')) continue;
      if (over(box, there)) faults.push(`${name(e)} ${text(box)} lies on ${name(other)} ${text(there)}`);
    }
  });

  const words = [...scope.querySelectorAll('*')].filter(e => isSeen(e) && !e.closest('svg, #say') && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())).map(e => {
    const range = document.createRange(), style = getComputedStyle(e);
    const nodes = [...e.childNodes].filter(n => n.nodeType === 3 && n.data.trim());
    range.setStartBefore(nodes[0]);
    range.setEndAfter(nodes.at(-1));
    return { e, style, whole: range.getBoundingClientRect(), box: cut(range.getBoundingClientRect(), e) };
  }).filter(({ box }) => isThere(box));
  for (const { e, style, whole, box } of words) {
    const frame = e.closest('button, a.small, .line, .switch, .card, .person, summary'), edge = frame?.getBoundingClientRect();
    if (leaves(box, e) && !e.closest('.strip')) faults.push(`the text of ${name(e)} leaves the screen: ${text(box)}`);
    const isShort = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';
    if (clips(e) && !isShort && (e.scrollWidth > e.clientWidth + 2 || e.scrollHeight > e.clientHeight + 3)) faults.push(`${name(e)} is cut: ${e.scrollWidth}x${e.scrollHeight} in ${e.clientWidth}x${e.clientHeight}`);
    // Glyphs are lower than their lines, so a line may stand out by a little.
    if (edge && (whole.height <= parseFloat(style.fontSize) * 1.6 || !isShort) && (box.top < edge.top - 4 || box.bottom > edge.bottom + 4 || !isShort && (box.left < edge.left - slack || box.right > edge.right + slack)))
      faults.push(`the text of ${name(e)} ${text(box)} leaves its frame ${text(edge)}`);
  }
  words.forEach(({ e, box }, index) => {
    for (const { e: other, box: there } of words.slice(index + 1)) {
      if (e.contains(other) || other.contains(e) || getComputedStyle(e).position === 'fixed') continue;
      // Words of one paragraph, of which each may have several lines.
      if (e.parentElement === other.parentElement && getComputedStyle(e).display === 'inline' && getComputedStyle(other).display === 'inline') continue;
      if (over(box, there, 3)) faults.push(`the text of ${name(e)} ${text(box)} lies on that of ${name(other)} ${text(there)}`);
    }
  });
  return faults;
"""


def faults(page):
    """One sentence for each fault of what the page shows now, when it is where it will be."""
    page.wait("nothing is on its way", page.is_still)
    return page.run(FAULTS)
