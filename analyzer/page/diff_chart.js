/* Frame times of a run of each side in one chart: the base as an area, the candidate as a line over it.
 * Both begin on the left with their first frame. A column has the frames of both at that place. */
const MARKED = 5; /* of the longest frames of each side */
const CUT = 1.5;  /* times the limit of hitches: where longer frames are cut off, if a reader wants that */

/* Frames of a run, from its first one on. */
function placed(bins) {
  return bins.map((bin) => ({...bin, from: bin.first - bins[0].first, until: bin.last + 1 - bins[0].first}));
}

/* The bins that lie in each of so many parts of the order of frames, as one; null without any. */
function gather(bins, span, number) {
  const parts = [];
  let begin = 0;
  for (let i = 0; i < number; i++) {
    while (begin < bins.length && bins[begin].until <= i * span / number)
      begin++;
    let end = begin;
    while (end < bins.length && bins[end].from < (i + 1) * span / number)
      end++;
    parts.push(begin === end ? null : asOne(bins.slice(begin, end)));
  }
  return parts;
}

function asOne(part) {
  const longest = part.reduce((a, b) => b.max_ns > a.max_ns ? b : a);
  const sum = (name) => part.reduce((total, bin) => total + bin[name], 0);
  return {...longest, first: part[0].first, last: part[part.length - 1].last, frames: sum("frames"),
          over: sum("over"), min_ns: Math.min(...part.map((bin) => bin.min_ns))};
}

function tellSide(side, part) {
  if (part === null)
    return side + ": no such frame.";
  const over = part.over ? part.frames === 1 ? ", a hitch" : ", " + count(part.over, "hitch", "hitches") : "";
  return side + ": " + (part.frames === 1 ? "frame " + part.first + ", " + time(part.max_ns)
    : "frames " + part.first + " to " + part.last + ", " + time(part.min_ns) + " to " + time(part.max_ns) +
      " (frame " + part.max_frame + ")") + over + ".";
}

class SidesChart extends TimeChart {
  constructor(limit) {
    super("Frame times of both sides", limit, []);
  }

  /* Draws these runs, the base's and the candidate's. */
  draw(runs) {
    this.runs = runs.map(placed);
    this.span = Math.max(1, ...this.runs.flat().map((bin) => bin.until));
    this.isNumbered = this.runs.every((bins) => bins.length !== 0) &&
      this.runs[0][0].first === this.runs[1][0].first;
    this.longest = this.runs.flatMap((bins, side) => [...bins].sort((a, b) => b.max_ns - a.max_ns)
      .slice(0, MARKED).map((bin) => ({frame: bin.max_frame, max_ns: bin.max_ns, side: " of-" + SIDES[side],
                                       at: bin.max_frame - bins[0].first})))
      .sort((a, b) => b.max_ns - a.max_ns);
    this.marked = undefined;
    this.at = null;
    if (this.width)
      this.arrange();
  }

  layOut(most) {
    const number = Math.min(most, Math.max(1, ...this.runs.map((bins) => bins.length)));
    const sides = this.runs.map((bins) => gather(bins, this.span, number));
    this.columns = Array.from({length: number}, (_, i) => ({from: Math.floor(i * this.span / number),
      until: Math.ceil((i + 1) * this.span / number), parts: sides.map((parts) => parts[i])}));
    const longest = Math.max(0, ...this.runs.flat().map((bin) => bin.max_ns));
    this.top_ns = this.isCut ? Math.min(longest, CUT * this.limit / 1.06) : longest;
  }

  cut(isCut) {
    this.isCut = isCut;
    this.arrange();
  }

  drawn() {
    const area = [];
    this.columns.forEach(({parts: [base]}, index) => {
      for (const [kind, ns] of base ? [["base-longest", base.max_ns], ["base-shortest", base.min_ns]] : [])
        area.push(draw("rect", {class: kind, x: this.x(index), y: this.y(ns), width: this.step + 0.3,
                                height: Math.max(0, this.y(0) - this.y(ns))}));
    });
    return [...area, ...this.line()];
  }

  /* The candidate's longest frames as steps, with a band down to its shortest. */
  line() {
    const above = [];
    const below = [];
    this.columns.forEach(({parts: [, part]}, index) => {
      if (part === null)
        return;
      for (const x of [this.x(index), this.x(index + 1)]) {
        above.push(x.toFixed(1) + " " + this.y(part.max_ns).toFixed(1));
        below.unshift(x.toFixed(1) + " " + this.y(part.min_ns).toFixed(1));
      }
    });
    return above.length === 0 ? [] : [
      draw("path", {class: "candidate-band", d: "M" + [...above, ...below].join("L") + "z"}),
      draw("path", {class: "candidate-edge", d: "M" + above.join("L")}),
      draw("path", {class: "candidate-line", d: "M" + above.join("L")})];
  }

  tell({parts: [base, candidate]}) {
    const change = base && candidate ? changeOf(base.max_ns, candidate.max_ns) : null;
    return tellSide("Base", base) + " " + tellSide("Candidate", candidate) +
      (change === null ? "" : " " + (base.frames + candidate.frames > 2 ? "The longest: " : "") +
       signed(percent(change), change) + ".");
  }

  label(column, isLast) {
    const first = this.isNumbered ? this.runs[0][0].first : 0;
    return first + (isLast ? column.until - 1 : column.from);
  }

  find({at}) {
    return Math.min(this.columns.length - 1, Math.floor(at * this.columns.length / this.span));
  }
}
