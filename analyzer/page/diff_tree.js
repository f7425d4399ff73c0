/* Caller contexts of both sides as a differential flame graph: widths are the inclusive time of a side, colours
 * the change of exclusive time. A sign before the name says which way, to those who see no colours, too. */
const CHANGE_STEPS = [1, 10, 100]; /* times the least change that counts */
const AGES = {new: " (new)", gone: " (gone)"};
const WIDTHS = [["candidate", "the candidate's time"], ["base", "the base's time"], ["larger", "the larger of both"]];
const PARTS = [["frames", "On the track that marks the frames", "(the track that marks the frames)"],
               ["others", "On all other tracks", "(all other tracks)"]];

function widthOf(row, kind) {
  return kind === "larger" ? Math.max(row.base_inclusive_ns || 0, row.candidate_inclusive_ns || 0)
    : row[kind + "_inclusive_ns"] || 0;
}

/* The contexts of a part, below one root that has what they add up to. */
function changesBelow(rows, name) {
  const nodes = new Map();
  const root = addNode(null, {scope: name, base_inclusive_ns: 0, candidate_inclusive_ns: 0, isAll: true});
  for (const row of rows) {
    const parent = nodes.get(row.parent) || root;
    nodes.set(row.node, addNode(parent, row));
    if (parent === root)
      for (const side of SIDES)
        root.row[side + "_inclusive_ns"] += row[side + "_inclusive_ns"] || 0;
  }
  return root;
}

class ChangeTree extends FlameGraph {
  /* `findings` are those of scopes, by name and category; none where contexts have their own. */
  constructor(root, leastNs, findings) {
    super(root);
    this.leastNs = leastNs;
    this.findings = findings;
    this.measure(WIDTHS[0][0]);
  }

  /* Widths by this kind of time. */
  measure(kind) {
    const all = [this.root];
    while (all.length !== 0) {
      const node = all.pop();
      node.ns = widthOf(node.row, kind);
      all.push(...node.children);
    }
    this.zoom(this.focus && this.focus.ns > 0 ? this.focus : this.root, null);
  }

  inside(node) {
    return node;
  }

  /* From -3, much faster, to 3, much slower. */
  step({change_ns: change}) {
    const size = Math.abs(change || 0);
    const steps = CHANGE_STEPS.filter((times) => size >= times * this.leastNs && size > 0).length;
    return change < 0 ? -steps : steps;
  }

  look(node) {
    const {row} = node;
    if (row.isAll)
      return {style: "", text: row.scope};
    const step = row.is_waiting === "yes" ? 0 : this.step(row);
    const style = row.is_waiting === "yes" ? " waiting" : step === 0 ? ""
      : step > 0 ? " slower-" + step : " faster-" + -step;
    return {style: style + (step > 0 && this.findingOf(node) === "regression" ? " found" : ""),
            text: (step > 0 ? "\u25b2 " : step < 0 ? "\u25bc " : "") + row.scope + (AGES[this.age(row)] || "")};
  }

  /* Whether one side alone has it. */
  age(row) {
    return !row.base_calls && row.candidate_calls ? "new" : row.base_calls && !row.candidate_calls ? "gone" : "";
  }

  /* Of the context itself, as with --by path, or of its scope with all its callers. */
  findingOf({row}) {
    return row.finding || this.findings.get(JSON.stringify([row.scope, row.category]));
  }

  tell(node) {
    const {row} = node;
    const times = (name) => fromTo(row["base_" + name + "_ns"], row["candidate_" + name + "_ns"], time);
    if (row.isAll)
      return row.scope + ": inclusive " + times("inclusive") + " per frame.";
    const step = this.step(row);
    const finding = this.findingOf(node);
    const parts = ["exclusive " + times("exclusive") + " per frame" + (row.change_ns === null ? "" : ", by " +
      signed(time(row.change_ns), row.change_ns)) + (row.is_waiting === "yes" ? ", waiting, which is not judged"
      : step > 0 ? ", slower" : step < 0 ? ", faster" : ", the same"), "inclusive " + times("inclusive"),
      fromTo(row.base_calls, row.candidate_calls, rate) + " calls per frame"];
    if (this.age(row))
      parts.unshift(this.age(row) === "new" ? "new, only the candidate has it" : "gone, only the base has it");
    if (finding)
      parts.push("found: " + finding);
    if (row.category !== null)
      parts.push("category " + row.category);
    if (row.left_out)
      parts.push(count(row.left_out, "caller context") + " below left out");
    if (row.file !== null)
      parts.push(row.file + ":" + row.line);
    return row.scope + ": " + parts.join(" \u00b7 ");
  }
}

/* What was found of scopes by name and category: the gravest of them. */
function scopeFindings() {
  const findings = new Map();
  if (data.by === "path")
    return findings;
  for (const row of ["scopes", "work"].flatMap((name) => compared(name).rows)) {
    const key = JSON.stringify([row.name, row.category]);
    if (row.finding !== null && (!findings.has(key) || gravity(row.finding) < gravity(findings.get(key))))
      findings.set(key, row.finding);
  }
  return findings;
}

function changeKeys(leastNs) {
  const steps = CHANGE_STEPS.map((times) => time(times * leastNs)).join(", ");
  const samples = (name) => CHANGE_STEPS.map((_, i) => "key-" + name + "-" + (i + 1));
  return keys([[samples("slower"), "\u25b2 slower: its own time changed by " + steps + " a frame or more"],
               [samples("faster"), "\u25bc faster, by as much"], ["key-plain", "the same: by less"],
               ["key-waiting", "waiting, which is not judged"],
               ["key-found", "framed: slower, and its scope is found to be a regression"]]);
}

/* What of the tree the page does not have. */
function tooSmall(rows) {
  const left = rows.reduce((sum, row) => sum + (row.left_out || 0), 0);
  return left === 0 ? "" : count(left, "context") + " that " + (left === 1 ? "takes" : "take") + " little time " +
    (left === 1 ? "is" : "are") + " left out; ludus-trace diff --folded FILE has all.";
}

function changeTrees(verdict) {
  const contexts = read("contexts", "contexts");
  if (contexts.rows.length === 0)
    return [];
  const leastNs = verdict.least_change_ns || 0;
  const findings = scopeFindings();
  const select = make("select", {}, ...WIDTHS.map(([kind, words]) => make("option", {value: kind}, words)));
  const graphs = [];
  const parts = PARTS.flatMap(([part, title, name]) => {
    const rows = contexts.rows.filter((row) => row.part === part);
    if (rows.length === 0)
      return [];
    const graph = new ChangeTree(changesBelow(rows, name), leastNs, findings);
    graphs.push(graph);
    return [make("h3", {}, title), graph.trail, graph.box, graph.readout];
  });
  select.addEventListener("change", () => graphs.forEach((graph) => graph.measure(select.value)));
  return [section("Caller contexts", about("Where time changed: callers above; widths are inclusive time per frame " +
    "in the mean of a side's runs, colours the change of what a scope takes itself. A click or Enter zooms. What is " +
    "gone has a width in the base's time alone.", leftOut(contexts, "ludus-trace diff --by path"),
    tooSmall(contexts.rows), ...contexts.notes),
    make("p", {class: "choices"}, make("label", {}, "Widths: ", select)), changeKeys(leastNs), ...parts)];
}
