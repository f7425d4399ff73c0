/* A chart over frames in the order of time: its scale, a line for a limit, and a cursor that keys and
 * the pointer move from column to column. What the columns are is for those who extend it. */
const CHART = {height: 240, left: 62, right: 10, top: 26, bottom: 24, column: 3};

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

/* Those who extend it give: layOut(most), which sets `columns`, of at most so many, and `top_ns`, the
 * longest time that is drawn; drawn(), what stands between the scale and the marks; tell(column);
 * label(column, isLast), which stands below it; and find(mark), the place of its column or -1. */
class TimeChart {
  constructor(label, limit, marks) {
    this.limit = limit;
    this.longest = marks; /* the longest frames, the longest first */
    this.at = null;
    this.readout = make("output", {class: "readout", "aria-live": "polite"});
    this.frame = make("div", {class: "chart", tabindex: "0", role: "group", "aria-label": label +
      ". Left and right move by a column, Enter goes to the next of the longest frames, Escape leaves."});
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
    this.arrange();
  }

  arrange() {
    const inside = this.width - CHART.left - CHART.right;
    this.layOut(Math.max(1, Math.floor(inside / CHART.column)));
    this.step = inside / this.columns.length;
    this.most = 1.06 * Math.max(this.limit || 0, this.top_ns) || 1;
    this.paint();
    this.move(this.at === null ? null : Math.min(this.at, this.columns.length - 1));
  }

  x(index) {
    return CHART.left + index * this.step;
  }

  y(ns) {
    const inside = CHART.height - CHART.top - CHART.bottom;
    return CHART.height - CHART.bottom - inside * Math.min(1, ns / this.most);
  }

  paint() {
    this.cursor = draw("rect", {class: "cursor", y: CHART.top - 4,
                                height: CHART.height - CHART.top - CHART.bottom + 8});
    this.frame.replaceChildren(draw("svg", {
      viewBox: "0 0 " + this.width + " " + CHART.height, height: CHART.height, "aria-hidden": "true"},
      ...this.scale(), ...this.drawn(), ...this.limitLine(), ...this.marks(), this.cursor));
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
                      (i === 0 ? "frame " : "") + this.label(this.columns[index], last)));
    }
    return parts;
  }

  limitLine() {
    if (this.limit === null)
      return [];
    const y = this.y(this.limit);
    return [draw("line", {class: "budget", x1: CHART.left, x2: this.width - CHART.right, y1: y, y2: y})];
  }

  /* The longest frames, and the numbers of those for which there is room. */
  marks() {
    const parts = [];
    const taken = [];
    for (const mark of this.longest) {
      const index = this.find(mark);
      if (index < 0)
        continue;
      const x = this.x(index + 0.5);
      const y = this.y(mark.max_ns) - 2;
      parts.push(draw("path", {class: "worst" + mark.side, d: "M" + x + " " + y + "l-4 -6h8z"}));
      const half = 4 + 4 * String(mark.frame).length;
      const middle = Math.min(Math.max(x, CHART.left + half), this.width - CHART.right - half);
      if (taken.some((other) => Math.abs(other.x - middle) < other.half + half))
        continue;
      taken.push({x: middle, half});
      parts.push(draw("text", {class: "worst", x: middle, y: y - 8, "text-anchor": "middle"},
                      String(mark.frame)));
    }
    return parts;
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
    this.readout.textContent = this.tell(this.columns[index]);
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
    else if (event.key === "Enter" && this.longest.length !== 0)
      this.next();
    else if (event.key === "Escape")
      this.move(null);
    else
      return;
    event.preventDefault();
  }

  next() {
    this.marked = this.marked === undefined ? 0 : (this.marked + 1) % this.longest.length;
    this.move(this.find(this.longest[this.marked]));
  }
}

/* A round value of the scale. */
function axisTime(ns) {
  const [size, unit] = ns >= 1e9 ? [1e9, " s"] : ns >= 1e6 ? [1e6, " ms"] : ns >= 1e3
    ? [1e3, " \u00b5s"] : [1, " ns"];
  return ns === 0 ? "0" : String(Number((ns / size).toPrecision(4))) + unit;
}
