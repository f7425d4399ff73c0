/* Frame times in the order of time. A column of the chart has all frames that fall into it: its
 * longest and its shortest are drawn, so that no hitch disappears. */
const CHART = {height: 240, left: 62, right: 10, top: 26, bottom: 24, column: 3};

/* Joins bins that share a column. */
function join(bins, most) {
  const groups = Math.min(bins.length, Math.max(1, most));
  const columns = [];
  for (let g = 0; g < groups; g++) {
    const part = bins.slice(Math.floor(g * bins.length / groups),
                            Math.floor((g + 1) * bins.length / groups));
    const longest = part.reduce((a, b) => b.max_ns > a.max_ns ? b : a);
    const sampled = part.filter((bin) => bin.gpu_ns !== null);
    const sum = (name) => part.reduce((total, bin) => total + bin[name], 0);
    columns.push({
      ...longest, first: part[0].first, last: part[part.length - 1].last,
      begin_ns: part[0].begin_ns, frames: sum("frames"), over: sum("over"), lost: sum("lost"),
      gpu_frames: sum("gpu_frames"), min_ns: Math.min(...part.map((bin) => bin.min_ns)),
      gpu_ns: sampled.length === 0 ? null : Math.max(...sampled.map((bin) => bin.gpu_ns)),
    });
  }
  return columns;
}

/* Round values for a scale up to `most`, about `wanted` of them. */
function scaleSteps(most, wanted) {
  const raw = most / wanted;
  const decade = 10 ** Math.floor(Math.log10(raw));
  const step = decade * [1, 2, 5, 10].find((factor) => factor * decade >= raw);
  const steps = [];
  for (let value = 0; value <= most; value += step)
    steps.push(value);
  return steps;
}

/* What is said of a column. */
function tell(column, budget) {
  const gpu = column.gpu_ns === null ? "" : " GPU: " + time(column.gpu_ns) +
    (column.frames === 1 ? "." : " at most, of " + count(column.gpu_frames, "sampled frame") + ".");
  const lost = column.lost === 0 ? "" : " A loss overlaps " + count(column.lost, "frame") + " of it.";
  const over = budget === null || column.over === 0 ? ""
    : column.frames === 1 ? " Over the budget by " + time(column.max_ns - budget) + "."
    : " Over the budget: " + grouped(column.over) + ".";
  const what = column.frames === 1
    ? "Frame " + column.first + ": " + time(column.max_ns) + ", begins at " +
      moment(column.begin_ns) + "."
    : "Frames " + column.first + " to " + column.last + ": " + count(column.frames, "frame") +
      " from " + time(column.min_ns) + " to " + time(column.max_ns) + " (frame " +
      column.max_frame + ").";
  return what + over + gpu + lost;
}

class FrameChart {
  constructor(bins, worst, budget) {
    this.bins = bins;
    this.worst = worst; /* numbers of frames, the longest first */
    this.budget = budget;
    this.at = null;
    this.readout = make("output", {class: "readout", "aria-live": "polite"});
    this.frame = make("div", {class: "chart", tabindex: "0", role: "group", "aria-label":
      "Frame times. Left and right move by a column, Enter goes to the next of the longest frames, " +
      "Escape leaves."});
    this.frame.addEventListener("keydown", (event) => this.key(event));
    this.frame.addEventListener("pointermove", (event) => this.point(event));
    this.frame.addEventListener("pointerdown", (event) => this.point(event));
    new ResizeObserver(() => this.resize()).observe(this.frame);
    this.move(null);
  }

  resize() {
    const width = Math.floor(this.frame.clientWidth);
    if (width === 0 || width === this.width)
      return;
    this.width = width;
    const inside = width - CHART.left - CHART.right;
    this.columns = join(this.bins, Math.floor(inside / CHART.column));
    this.step = inside / this.columns.length;
    this.most = 1.06 * Math.max(this.budget || 0, ...this.columns.map(
      (column) => Math.max(column.max_ns, column.gpu_ns || 0))) || 1;
    this.paint();
    this.move(this.at === null ? null : Math.min(this.at, this.columns.length - 1));
  }

  x(index) {
    return CHART.left + index * this.step;
  }

  y(ns) {
    const inside = CHART.height - CHART.top - CHART.bottom;
    return CHART.height - CHART.bottom - inside * ns / this.most;
  }

  paint() {
    this.cursor = draw("rect", {class: "cursor", y: CHART.top - 4,
                                height: CHART.height - CHART.top - CHART.bottom + 8});
    this.frame.replaceChildren(draw("svg", {
      viewBox: "0 0 " + this.width + " " + CHART.height, height: CHART.height, "aria-hidden": "true"},
      ...this.scale(), ...this.bars(), ...this.gpu(), ...this.budgetLine(), ...this.marks(),
      this.cursor));
  }

  scale() {
    const parts = [];
    for (const value of scaleSteps(this.most, 5)) {
      const y = this.y(value);
      parts.push(draw("line", {class: "grid", x1: CHART.left, x2: this.width - CHART.right,
                               y1: y, y2: y}),
                 draw("text", {x: CHART.left - 6, y: y + 4, "text-anchor": "end"}, axisTime(value)));
    }
    const room = Math.max(2, Math.floor((this.width - CHART.left) / 110));
    const labels = Math.min(room, this.columns.length);
    for (let i = 0; i < labels; i++) {
      const last = i > 0 && i === labels - 1;
      const index = last ? this.columns.length - 1
        : Math.floor(i * this.columns.length / Math.max(1, labels - 1));
      parts.push(draw("text", {x: last ? this.width - CHART.right : this.x(index), y: CHART.height - 7,
                               "text-anchor": last ? "end" : "start"},
                      (i === 0 ? "frame " : "") + this.columns[index][last ? "last" : "first"]));
    }
    return parts;
  }

  bars() {
    const gap = this.step >= 4 ? 1 : 0;
    const base = this.y(0);
    const bar = (kind, index, from, to) => draw("rect", {class: kind, x: this.x(index),
      y: this.y(to), width: Math.max(0.5, this.step - gap), height: Math.max(0, this.y(from) - this.y(to))});
    const parts = [];
    this.columns.forEach((column, index) => {
      const isOver = this.budget !== null && column.max_ns > this.budget;
      parts.push(bar("longest", index, 0, column.max_ns), bar("shortest", index, 0, column.min_ns));
      if (isOver)
        parts.push(bar("over", index, this.budget, column.max_ns));
      if (column.lost !== 0)
        parts.push(draw("rect", {class: "lost", x: this.x(index), y: base + 1, height: 5,
                                 width: Math.max(2, this.step - gap)}));
    });
    return parts;
  }

  gpu() {
    const parts = [];
    let line = "";
    this.columns.forEach((column, index) => {
      if (column.gpu_ns === null)
        return;
      const x = this.x(index + 0.5);
      const y = this.y(column.gpu_ns);
      const follows = index > 0 && this.columns[index - 1].gpu_ns !== null;
      line += (follows ? "L" : "M") + x.toFixed(1) + " " + y.toFixed(1);
      if (this.columns.length <= 200)
        parts.push(draw("circle", {class: "gpu-dot", cx: x, cy: y, r: 2.5}));
    });
    if (line !== "")
      parts.unshift(draw("path", {class: "gpu-edge", d: line}), draw("path", {class: "gpu", d: line}));
    return parts;
  }

  budgetLine() {
    if (this.budget === null)
      return [];
    const y = this.y(this.budget);
    return [draw("line", {class: "budget", x1: CHART.left, x2: this.width - CHART.right, y1: y, y2: y})];
  }

  /* The longest frames, and the numbers of those for which there is room. */
  marks() {
    const parts = [];
    const taken = [];
    for (const number of this.worst) {
      const index = this.find(number);
      if (index < 0)
        continue;
      const x = this.x(index + 0.5);
      const y = this.y(this.columns[index].max_ns) - 2;
      parts.push(draw("path", {class: "worst", d: "M" + x + " " + y + "l-4 -6h8z"}));
      const half = 4 + 4 * String(number).length;
      const middle = Math.min(Math.max(x, CHART.left + half), this.width - CHART.right - half);
      if (taken.some((other) => Math.abs(other.x - middle) < other.half + half))
        continue;
      taken.push({x: middle, half});
      parts.push(draw("text", {class: "worst", x: middle, y: y - 8, "text-anchor": "middle"},
                      String(number)));
    }
    return parts;
  }

  find(number) {
    return this.columns.findIndex((column) => column.first <= number && number <= column.last);
  }

  move(index) {
    this.at = index;
    if (index === null) {
      if (this.cursor)
        this.cursor.setAttribute("width", 0);
      this.readout.textContent = "Point at a frame, or use the arrow keys; Enter goes through the " +
        "longest ones.";
      return;
    }
    this.cursor.setAttribute("x", this.x(index));
    this.cursor.setAttribute("width", Math.max(1, this.step));
    this.readout.textContent = tell(this.columns[index], this.budget);
  }

  point(event) {
    const box = this.frame.getBoundingClientRect();
    const index = Math.floor((event.clientX - box.left - this.frame.clientLeft - CHART.left) / this.step);
    if (this.columns && index >= 0 && index < this.columns.length)
      this.move(index);
  }

  key(event) {
    const last = this.columns.length - 1;
    const at = this.at;
    const steps = {ArrowLeft: at === null ? last : at - 1, ArrowRight: at === null ? 0 : at + 1,
                   PageUp: (at || 0) - 20, PageDown: (at || 0) + 20, Home: 0, End: last};
    if (event.key in steps)
      this.move(Math.min(last, Math.max(0, steps[event.key])));
    else if (event.key === "Enter" && this.worst.length !== 0)
      this.next();
    else if (event.key === "Escape")
      this.move(null);
    else
      return;
    event.preventDefault();
  }

  next() {
    this.marked = this.marked === undefined ? 0 : (this.marked + 1) % this.worst.length;
    this.move(this.find(this.worst[this.marked]));
  }
}

/* A round value of the scale. */
function axisTime(ns) {
  const [size, unit] = ns >= 1e9 ? [1e9, " s"] : ns >= 1e6 ? [1e6, " ms"] : ns >= 1e3
    ? [1e3, " \u00b5s"] : [1, " ns"];
  return ns === 0 ? "0" : String(Number((ns / size).toPrecision(4))) + unit;
}
