/* The tree of caller contexts as a flame graph: callers above, widths are inclusive time. */
const FLAME_ROW = 21;
const LEAST_SHARE = 0.0004; /* of the width: what is narrower cannot be seen */
const HUES = [212, 32, 146, 280, 350, 178, 52, 246, 90, 312];

/* The nodes of one window, with their children, and categories by falling time. */
function treeOf(rows, perFrame) {
  const nodes = new Map();
  const roots = [];
  for (const row of rows) {
    const node = {
      row, children: [], parent: nodes.get(row.parent) || null,
      ns: (perFrame ? row.inclusive_per_frame_ns : row.inclusive_ns) || 0,
      own: perFrame ? row.exclusive_per_frame_ns : row.exclusive_ns,
    };
    node.depth = node.parent ? node.parent.depth + 1 : 0;
    if (!["more", "unlogged"].includes(row.kind))
      nodes.set(row.node, node);
    (node.parent ? node.parent.children : roots).push(node);
  }
  return roots;
}

class FlameGraph {
  constructor(rows, perFrame, meanNs, waiting) {
    this.perFrame = perFrame;
    this.meanNs = meanNs;
    this.waiting = waiting;
    this.roots = treeOf(rows, perFrame);
    this.root = this.roots[0];
    this.hues = this.chooseHues(rows);
    this.readout = make("output", {class: "readout", "aria-live": "polite"});
    this.trail = make("div", {class: "trail"});
    this.box = make("div", {class: "flames", role: "group", "aria-label":
      "Flame graph. Up, down, left and right move, Enter zooms, Escape goes back."});
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.box.addEventListener("click", (event) => this.click(event));
    for (const kind of ["pointerover", "focusin"])
      this.box.addEventListener(kind, (event) => this.show(event));
    this.parts = new Map(); /* by node: its button; and the other way */
    this.nodes = new WeakMap();
    if (this.root)
      this.zoom(this.root, null);
  }

  /* Categories by the time of their own that they have: colours that are far apart come first. */
  chooseHues(rows) {
    const sums = new Map();
    for (const row of rows)
      if (row.kind === "scope" && row.category !== this.waiting)
        sums.set(row.category, (sums.get(row.category) || 0) + (row.exclusive_ns || 0));
    const names = [...sums.keys()].sort((a, b) => sums.get(b) - sums.get(a));
    return new Map(names.map((name, i) => [name, HUES[i % HUES.length]]));
  }

  zoom(node, focus) {
    this.focus = node;
    const above = [];
    for (let at = node.parent; at; at = at.parent)
      above.unshift(at);
    this.parts.clear();
    const buttons = above.map((other) => this.button(other, 0, 1, " above"));
    this.deepest = node.depth;
    this.place(node, 0, 1, buttons);
    this.box.replaceChildren(...buttons);
    this.box.style.height = (this.deepest + 1) * FLAME_ROW + "px";
    this.paintTrail(above);
    this.settle(focus || this.parts.get(node), focus !== null);
  }

  /* A node and what is below it, in parts of the width. Children that are together longer than
   * their parent share it: of some of their slices the parent is not known. */
  place(start, startX, startWidth, buttons) {
    const waiting = [[start, startX, startWidth]];
    while (waiting.length !== 0) {
      const [node, x, width] = waiting.pop();
      buttons.push(this.button(node, x, width, ""));
      this.deepest = Math.max(this.deepest, node.depth);
      const sum = node.children.reduce((total, child) => total + child.ns, 0);
      const whole = Math.max(node.ns, sum);
      let at = x;
      for (const child of node.children) {
        const part = whole === 0 ? 0 : width * child.ns / whole;
        if (part >= LEAST_SHARE)
          waiting.push([child, at, part]);
        at += part;
      }
    }
  }

  button(node, x, width, state) {
    const {kind, category, scope} = node.row;
    const hue = kind === "scope" ? this.hues.get(category) : undefined;
    const style = kind === "unlogged" ? " unlogged" : kind === "scope" && hue === undefined ? " waiting"
      : hue !== undefined ? " coloured" : "";
    const part = make("button", {type: "button", tabindex: "-1",
                                 class: (style + state + (width < 0.012 ? " thin" : "")).trim(),
                                 "aria-label": this.tell(node)});
    part.append(width < 0.012 ? "" : make("bdi", {}, scope));
    part.style.left = 100 * x + "%";
    part.style.width = 100 * width + "%";
    part.style.top = node.depth * FLAME_ROW + "px";
    if (hue !== undefined)
      part.style.setProperty("--hue", hue);
    this.parts.set(node, part);
    this.nodes.set(part, node);
    return part;
  }

  tell(node) {
    const {row} = node;
    const each = this.perFrame ? " per frame" : " in all";
    const parts = [row.scope + ":"];
    const share = this.perFrame && this.meanNs ? " (" + percent(100 * node.ns / this.meanNs) +
      " of the mean frame)" : "";
    if (row.kind === "unlogged")
      return row.scope + ": " + time(node.ns) + each + share + " that no scope covers; not known, " +
        "neither idle time nor the recorder's cost.";
    if (row.kind !== "scope" && row.kind !== "more" && node.own === null)
      return row.scope + ": all that begins in the window.";
    parts.push("inclusive " + time(this.perFrame ? row.inclusive_per_frame_ns : row.inclusive_ns) +
               each + share);
    if (row.kind !== "more")
      parts.push((row.kind === "scope" ? "exclusive " : "unlogged ") + time(node.own) + each);
    if (row.calls !== null)
      parts.push(this.perFrame ? rate(row.calls_per_frame) + " calls per frame"
                               : count(row.calls, "call"));
    if (row.category !== null)
      parts.push("category " + row.category);
    if (row.incomplete)
      parts.push(count(row.incomplete, "call") + " without an end");
    if (row.children_lost)
      parts.push(count(row.children_lost, "call") + " beside a loss");
    if (row.left_out)
      parts.push(count(row.left_out, "caller context") + " below left out");
    if (row.file !== null)
      parts.push(row.file + ":" + row.line);
    return parts[0] + " " + parts.slice(1).join(" \u00b7 ");
  }

  paintTrail(above) {
    const whole = make("button", {type: "button", class: "plain-button"}, "Whole tree");
    whole.disabled = this.focus === this.root;
    whole.addEventListener("click", () => this.zoom(this.root, null));
    const path = [...above, this.focus].map((node) => node.row.scope).slice(-4).join(" \u203a ");
    this.trail.replaceChildren(whole, make("bdi", {class: "quiet"}, path));
  }

  /* Makes a part the one that Tab leads to. */
  settle(part, isFocused) {
    if (this.current)
      this.current.tabIndex = -1;
    this.current = part;
    part.tabIndex = 0;
    if (isFocused)
      part.focus();
    else
      this.readout.textContent = this.tell(this.nodes.get(part));
  }

  show(event) {
    const node = this.nodes.get(event.target.closest("button"));
    if (node)
      this.readout.textContent = this.tell(node);
  }

  click(event) {
    const node = this.nodes.get(event.target.closest("button"));
    if (node)
      this.enter(node);
  }

  enter(node) {
    const target = ["more", "unlogged"].includes(node.row.kind) ? node.parent : node;
    this.zoom(target, null);
    this.settle(this.parts.get(target), true);
  }

  /* The next one to the side that is drawn. */
  beside(node, step) {
    const siblings = node.parent ? node.parent.children : this.roots;
    for (let i = siblings.indexOf(node) + step; i >= 0 && i < siblings.length; i += step)
      if (this.parts.has(siblings[i]))
        return siblings[i];
    return null;
  }

  key(event) {
    const node = this.nodes.get(event.target);
    if (!node)
      return;
    if (event.key === "Enter" || event.key === " ")
      this.enter(node);
    else if (event.key === "Escape")
      this.enter(this.focus.parent || this.root);
    else {
      const next = {ArrowUp: () => node.parent, ArrowLeft: () => this.beside(node, -1),
                    ArrowRight: () => this.beside(node, 1),
                    ArrowDown: () => node.children.find((child) => this.parts.has(child))}[event.key];
      if (!next)
        return;
      const target = next();
      if (target)
        this.settle(this.parts.get(target), true);
    }
    event.preventDefault();
  }
}
