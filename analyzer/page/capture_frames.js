/* Frame times of a capture. A column of the chart has all frames that fall into it: its longest and
 * its shortest are drawn, so that no hitch disappears. */

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

/* What is said of a column. */
function tellFrames(column, budget) {
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

class FrameChart extends TimeChart {
  constructor(bins, worst, budget) {
    super("Frame times", budget, worst);
    this.bins = bins;
  }

  layOut(most) {
    this.columns = join(this.bins, most);
    this.top_ns = Math.max(...this.columns.map((column) => Math.max(column.max_ns, column.gpu_ns || 0)));
  }

  drawn() {
    return [...this.bars(), ...this.gpu()];
  }

  tell(column) {
    return tellFrames(column, this.limit);
  }

  label(column, isLast) {
    return isLast ? column.last : column.first;
  }

  bars() {
    const gap = this.step >= 4 ? 1 : 0;
    const base = this.y(0);
    const bar = (kind, index, from, to) => draw("rect", {class: kind, x: this.x(index),
      y: this.y(to), width: Math.max(0.5, this.step - gap), height: Math.max(0, this.y(from) - this.y(to))});
    const parts = [];
    this.columns.forEach((column, index) => {
      const isOver = this.limit !== null && column.max_ns > this.limit;
      parts.push(bar("longest", index, 0, column.max_ns), bar("shortest", index, 0, column.min_ns));
      if (isOver)
        parts.push(bar("over", index, this.limit, column.max_ns));
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

  find({frame}) {
    return this.columns.findIndex((column) => column.first <= frame && frame <= column.last);
  }
}
