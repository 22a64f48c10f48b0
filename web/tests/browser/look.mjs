// What a page at rest looks like, measured in the page itself by one call: what sticks out, what is cut, what lies over
// something else, what is too small to read or to press.

/**
 * Runs in the page. Two frames after its window has changed everything has its place: nothing else is waited for.
 * `scrolls` says that the page may be longer than its window, as the lobby may; a table never.
 */
export async function lookAt({ scrolls }) {
  const frame = () => new Promise((done) => requestAnimationFrame(() => done()));
  await frame();
  await frame();
  // Hints find their place a moment after the table has.
  if (document.querySelector('.tour')) await new Promise((done) => setTimeout(done, 100));
  const found = new Set();
  const touch = document.documentElement.dataset.layout !== 'desk';
  const dialog = [...document.querySelectorAll('dialog[open], .escrim')].at(-1);
  const root = dialog ?? document.body;
  const SLACK = 1.5;
  const TEXT_MIN = 11.9;
  const TARGET_MIN = 39.5;

  const styles = new Map();
  const styleOf = (element) => {
    let style = styles.get(element);
    if (!style) styles.set(element, (style = getComputedStyle(element)));
    return style;
  };
  const nameOf = (element) => {
    const classes = typeof element.className === 'string' ? element.className.trim().split(/\s+/).slice(0, 3) : [];
    return [element.tagName.toLowerCase(), ...classes].filter(Boolean).join('.');
  };
  const round = ({ left, top, right, bottom }) => `[${[left, top, right, bottom].map(Math.round).join(',')}]`;
  const shown = (element) =>
    !element.closest('svg, .vh, .gone, [inert], .art, .sh') &&
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  /** Whether a thing is cut by what it lies in: the box, or nothing. What can be scrolled to is not cut. */
  const cutBy = (element, box) => {
    let [free, down] = [false, false];
    for (let above = element; above; above = above.parentElement) {
      const style = styleOf(above);
      const edge = above === document.body ? new DOMRect(0, 0, innerWidth, innerHeight) : above.getBoundingClientRect();
      const cuts = (overflow) => overflow === 'hidden' || overflow === 'clip' || above === document.body;
      if (/auto|scroll/.test(style.overflowX)) free = true;
      if (/auto|scroll/.test(style.overflowY)) down = true;
      if (!free && cuts(style.overflowX) && (box.left < edge.left - SLACK || box.right > edge.right + SLACK))
        return above;
      if (!down && cuts(style.overflowY) && (box.top < edge.top - SLACK || box.bottom > edge.bottom + SLACK))
        return above;
      if (style.position === 'fixed') return undefined;
    }
    return undefined;
  };
  /** Whether a point is inside all that could hide it by scrolling. */
  const inSight = (element, x, y) => {
    for (let above = element; above; above = above.parentElement) {
      if (styleOf(above).overflowY === 'visible') continue;
      const edge = above.getBoundingClientRect();
      if (x < edge.left + 1 || x > edge.right - 1 || y < edge.top + 1 || y > edge.bottom - 1) return false;
    }
    return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
  };
  /** Whether anything of an element is to be seen at its own place: an empty box covers nothing. */
  const paints = (element) => {
    // A hint lies over the table, but for what hintsOver looks at.
    if (element.closest('.tour, .tourf')) return false;
    if (element.closest('svg')) return true;
    const { backgroundColor, backgroundImage } = styleOf(element);
    const worded = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    return worded || backgroundImage !== 'none' || !/, 0\)$|transparent/.test(backgroundColor);
  };
  /** Heads of a list that scrolls, and the foot of a sheet that does, stay where they are. */
  const stays = (element) => {
    const fixed = element.closest('thead, tfoot, footer');
    return !!fixed && (!fixed.matches('footer') || styleOf(fixed).position === 'sticky');
  };
  const related = (one, other) => one === other || one.contains(other) || other.contains(one);

  // ---- the page ----
  const page = document.scrollingElement;
  if (page.scrollHeight > innerHeight + 1 || page.scrollWidth > innerWidth + 1)
    found.add(`the page is ${page.scrollWidth}x${page.scrollHeight}`);
  const table = dialog ? null : document.querySelector('main.table');

  // ---- words ----
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.data.trim();
    const holder = node.parentElement;
    if (!text || !shown(holder) || holder.closest('option, textarea')) continue;
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter((rect) => rect.width > 0);
    if (rects.length === 0) continue;
    const box = range.getBoundingClientRect();
    const said = `"${text.slice(0, 24)}" in ${nameOf(holder)}`;
    const size = Number.parseFloat(styleOf(holder).fontSize) * (holder.currentCSSZoom ?? 1);
    if (size < TEXT_MIN) found.add(`${said} is ${size.toFixed(1)} px`);
    const clamped = holder.closest('.clamps, .tx');
    const cut = cutBy(holder, box);
    // What is clipped to a point is for the ear.
    if (cut && cut.getBoundingClientRect().width <= 2) continue;
    if (cut && !holder.closest('[title]') && !clamped) found.add(`${said} is cut by ${nameOf(cut)}`);
    if (cut || clamped || styleOf(holder).pointerEvents === 'none') continue;
    const { left, top, width, height } = rects[0];
    const [x, y] = [left + width / 2, top + height / 2];
    if (!inSight(holder, x, y)) continue;
    const hit = document.elementFromPoint(x, y);
    const pile = holder.closest('.card, .rc, .tile, .wcard');
    if (hit && stays(hit)) continue;
    if (hit && !related(hit, holder) && paints(hit) && !(pile && pile.parentElement.contains(hit)))
      found.add(`${said} lies under ${nameOf(hit)}`);
  }

  // ---- pieces, plates and what can be pressed ----
  const PRESSED = 'button, a[href], input, select, textarea, [role=slider]';
  const PIECES = '.card, .rc, .tile, .bc, .bslot, .wcard, .seat, .prompt, .fig, .pbar, .si, .offer, .banner';
  for (const element of root.querySelectorAll(`${PRESSED}, ${PIECES}`)) {
    if (!shown(element)) continue;
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) continue;
    const named = element.getAttribute('aria-label') ?? element.textContent;
    const said = `${nameOf(element)} ${named.trim().slice(0, 20)}`;
    const cut = cutBy(element.parentElement, box);
    const inside = element.parentElement.closest(PIECES);
    if (cut && !inside)
      found.add(`${said} ${round(box)} is cut by ${nameOf(cut)} ${round(cut.getBoundingClientRect())}`);
    const pressed = element.matches(PRESSED);
    const inline = styleOf(element).display === 'inline' || element.matches('.lk');
    if (touch && pressed && !inline && Math.min(box.width, box.height) < TARGET_MIN)
      found.add(`${said} is ${box.width.toFixed(0)}x${box.height.toFixed(0)}`);
    if (styleOf(element).pointerEvents === 'none' || cut) continue;
    let [seen, over, by] = [0, 0, undefined];
    const STEPS = [0.15, 0.5, 0.85];
    for (const across of STEPS)
      for (const down of STEPS) {
        const [x, y] = [box.left + box.width * across, box.top + box.height * down];
        if (!inSight(element.parentElement, x, y)) continue;
        seen += 1;
        const hit = document.elementFromPoint(x, y);
        if (!hit || related(hit, element) || !paints(hit) || stays(hit)) continue;
        over += 1;
        by = hit;
      }
    // A card of a row may lie on its neighbour, as in a hand: a third of it stays in sight.
    const neighbours = by && element.matches('.card, .rc, .tile, .wcard') && element.parentElement.contains(by);
    const most = neighbours ? (seen * 2) / 3 : 0;
    if (over > most) found.add(`${said} ${round(box)} lies under ${nameOf(by)} ${round(by.getBoundingClientRect())}`);
  }

  // ---- a table does not scroll, and nothing of it sticks out ----
  if (table && !scrolls) {
    const edge = table.getBoundingClientRect();
    for (const element of table.querySelectorAll('*')) {
      if (element.closest('svg, .vh, .gone')) continue;
      const box = element.getBoundingClientRect();
      if (box.width === 0 || box.height === 0) continue;
      const out =
        box.left < edge.left - 1 ||
        box.right > edge.right + 1 ||
        box.top < edge.top - 1 ||
        box.bottom > edge.bottom + 1;
      if (out && shown(element)) found.add(`${nameOf(element)} ${round(box)} is outside ${round(edge)}`);
      const { overflowY } = styleOf(element);
      if (/auto|scroll/.test(overflowY) && element.scrollHeight > element.clientHeight + 1)
        found.add(`${nameOf(element)} scrolls`);
    }
  }
  return [...found].slice(0, 8);
}

/**
 * Runs in the page. Goes through the hints of a first table; each is in sight, and over neither the hand nor what is
 * asked nor the button that is looked for.
 */
export async function hintsOver() {
  const KEPT = '.hand, .fan, .bhand, .rhand, .pcards.own, .pdock, .prompt, .offer, .btn.pri';
  const frame = () => new Promise((done) => requestAnimationFrame(() => done()));
  const found = [];
  // What they say is fetched when it is first wanted.
  for (const until = performance.now() + 3000; !document.querySelector('.tour') && performance.now() < until;)
    await frame();
  if (!document.querySelector('.tour')) return ['there are no hints'];
  await frame();
  for (;;) {
    const tour = document.querySelector('.tour');
    const own = tour.getBoundingClientRect();
    const said = `hint ${tour.dataset.hint}`;
    if (!tour.checkVisibility({ visibilityProperty: true })) found.push(`${said} has no room`);
    if (own.left < 0 || own.top < 0 || own.right > innerWidth || own.bottom > innerHeight)
      found.push(`${said} is outside of the window`);
    for (const kept of document.querySelectorAll(KEPT)) {
      const box = kept.getBoundingClientRect();
      const across = Math.min(own.right, box.right) - Math.max(own.left, box.left);
      const down = Math.min(own.bottom, box.bottom) - Math.max(own.top, box.top);
      if (kept.checkVisibility() && across > 1 && down > 1) found.push(`${said} lies over ${kept.className}`);
    }
    const buttons = [...tour.querySelectorAll('button')];
    if (buttons.length < 2) return found;
    buttons.at(-1).click();
    await frame();
    await frame();
  }
}

/**
 * Runs in the page. Opens another fixture without loading the page again, and waits until nothing more comes: its words
 * and its table are fetched when they are first wanted.
 */
export async function openFixture({ name, theme, lang }) {
  const old = document.querySelector('.app, .lostpage, .page');
  const gone = () => !old || !old.isConnected;
  let changed = performance.now();
  const watcher = new MutationObserver(() => (changed = performance.now()));
  watcher.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  history.pushState(null, '', `/dev/fixtures/${name}?theme=${theme}&lang=${lang}`);
  dispatchEvent(new PopStateEvent('popstate'));
  const QUIET_MS = 34;
  const MOST_MS = 8000;
  const began = performance.now();
  for (;;) {
    await new Promise((done) => requestAnimationFrame(done));
    const now = performance.now();
    const table = document.querySelector('main.table');
    const drawn = document.querySelector('.app, .lostpage') && (!table || table.childElementCount > 0);
    if ((gone() && drawn && now - changed >= QUIET_MS) || now - began > MOST_MS) break;
  }
  watcher.disconnect();
  return performance.now() - began;
}
