/* Caller contexts as a flame graph: callers above, widths are parts of what the caller has. What a
 * node's width is of, how it looks and what is said of it is for those who extend it. */
const FLAME_ROW = 21;
const LEAST_SHARE = 0.0004; /* of the width: what is narrower cannot be seen */

/* A node below `parent`, or a root without one. */
function addNode(parent, row) {
  const node = {row, children: [], parent, depth: parent ? parent.depth + 1 : 0, ns: 0};
  if (parent)
    parent.children.push(node);
  return node;
}

/* Nodes have the `ns` that widths are made of. Those who extend it give: look(node): the classes of its
 * button, `hue` where it has one, and its text; tell(node); and inside(node): what Enter goes into. */
class FlameGraph {
  constructor(root) {
    this.root = root;
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
    const {style, hue, text} = this.look(node);
    const part = make("button", {type: "button", tabindex: "-1",
                                 class: (style + state + (width < 0.012 ? " thin" : "")).trim(),
                                 "aria-label": this.tell(node)});
    part.append(width < 0.012 ? "" : make("bdi", {}, text));
    part.style.left = 100 * x + "%";
    part.style.width = 100 * width + "%";
    part.style.top = node.depth * FLAME_ROW + "px";
    if (hue !== undefined)
      part.style.setProperty("--hue", hue);
    this.parts.set(node, part);
    this.nodes.set(part, node);
    return part;
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
    const target = this.inside(node);
    this.zoom(target, null);
    this.settle(this.parts.get(target), true);
  }

  /* The next one to the side that is drawn. */
  beside(node, step) {
    const siblings = node.parent ? node.parent.children : [node];
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
