/* The tree of caller contexts of a capture: widths are inclusive time, colours are categories. */
const HUES = [212, 32, 146, 280, 350, 178, 52, 246, 90, 312];

/* The first root of one window, with all that is below it. */
function treeOf(rows, perFrame) {
  const nodes = new Map();
  let first = null;
  for (const row of rows) {
    const node = addNode(nodes.get(row.parent) || null, row);
    node.ns = (perFrame ? row.inclusive_per_frame_ns : row.inclusive_ns) || 0;
    node.own = perFrame ? row.exclusive_per_frame_ns : row.exclusive_ns;
    if (!["more", "unlogged"].includes(row.kind))
      nodes.set(row.node, node);
    first = first || node;
  }
  return first;
}

class CallTree extends FlameGraph {
  constructor(rows, perFrame, meanNs, waiting) {
    super(treeOf(rows, perFrame));
    this.perFrame = perFrame;
    this.meanNs = meanNs;
    this.waiting = waiting;
    this.hues = this.chooseHues(rows);
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

  look({row: {kind, category, scope}}) {
    const hue = kind === "scope" ? this.hues.get(category) : undefined;
    const style = kind === "unlogged" ? " unlogged" : kind === "scope" && hue === undefined ? " waiting"
      : hue !== undefined ? " coloured" : "";
    return {style, hue, text: scope};
  }

  inside(node) {
    return ["more", "unlogged"].includes(node.row.kind) ? node.parent : node;
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
}
