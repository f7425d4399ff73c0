/* The runs of a comparison: which of them are drawn, and all of them as a strip of their median frames. */
const STRIP = {height: 130, margin: 24, left: 130}; /* pixels */
const LEAST_RANGE = 0.1; /* of the median: what is less is not drawn larger than it is */

/* The run whose median frame is the middle one of its side. */
function middleRun(runs) {
  const sorted = [...runs].sort((a, b) => compare(a.p50_ns, b.p50_ns, false));
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

function runWords(run) {
  return run.side + " " + runName(run) + ": median " + time(run.p50_ns) + ", p99 " + time(run.p99_ns) + ", longest " +
    time(run.max_ns) + ", " + rate(run.hitches_per_1000) + " hitches in 1,000 frames";
}

/* Lets choose a run of each side; `chosen` is told both. */
class RunChoice {
  constructor(runs, chosen) {
    this.runs = runs;
    this.chosen = chosen;
    this.selects = SIDES.map((side) => this.select(side));
    this.dots = new Map();
  }

  select(side) {
    const runs = this.runs.filter((run) => run.side === side);
    const middle = middleRun(runs);
    const select = make("select", {}, ...runs.map((run) => make("option", {value: run.place}, runName(run) +
      " (median " + time(run.p50_ns) + (run === middle && runs.length > 2 ? ", the middle one)" : ")"))));
    select.value = middle.place;
    select.addEventListener("change", () => this.show());
    return select;
  }

  labels() {
    return make("p", {class: "choices"}, ...SIDES.map((side, i) =>
      make("label", {}, make("i", {class: "key-" + side}), side + " ", this.selects[i])));
  }

  show() {
    const places = this.selects.map((select) => Number(select.value));
    for (const [run, dot] of this.dots)
      dot.setAttribute("aria-pressed", places.includes(run.place));
    this.chosen(places.map((place) => this.runs[place]));
  }

  /* Each run's median frame by the order in which runs were recorded. */
  strip() {
    const order = [...this.runs].sort((a, b) => compare(a.start_unix_ns, b.start_unix_ns, false));
    const medians = order.map((run) => run.p50_ns);
    const middle = (Math.min(...medians) + Math.max(...medians)) / 2;
    const range = Math.max(Math.max(...medians) - Math.min(...medians), LEAST_RANGE * middle) || 1;
    const y = (ns) => STRIP.height / 2 - (STRIP.height - 2 * STRIP.margin) * (ns - middle) / range;
    const box = make("div", {class: "strip", role: "group", "aria-label":
      "Median frames of the runs in the order of recording; the table of runs has them, too"});
    const readout = make("output", {class: "readout", "aria-live": "polite"},
                         "Point at a run, or click it to see its frames above.");
    box.style.height = STRIP.height + "px";
    const means = SIDES.map((side) => this.mean(side));
    SIDES.forEach((side, i) => box.append(this.meanLine(side, means[i], y(means[i]), means[i] < means[1 - i])));
    order.forEach((run, i) => {
      const dot = make("button", {type: "button", tabindex: "-1", class: "dot of-" + run.side,
                                  "aria-pressed": "false", "aria-label": runWords(run)});
      dot.style.left = "calc(" + STRIP.left + "px + (100% - " + STRIP.left + "px) * " + (i + 0.5) / order.length + ")";
      dot.style.top = y(run.p50_ns) + "px";
      dot.addEventListener("pointerover", () => { readout.textContent = runWords(run); });
      dot.addEventListener("click", () => {
        this.selects[SIDES.indexOf(run.side)].value = run.place;
        this.show();
      });
      this.dots.set(run, dot);
      box.append(dot);
    });
    return [box, readout];
  }

  mean(side) {
    const runs = this.runs.filter((run) => run.side === side);
    return runs.reduce((sum, run) => sum + run.p50_ns, 0) / runs.length;
  }

  meanLine(side, mean, top, isLess) {
    const line = make("div", {class: "mean-line of-" + side + (isLess ? " less" : "")},
                      make("span", {}, side + " " + time(mean)));
    line.style.top = top + "px";
    return line;
  }
}

/* Runs with frames, with their places in the table of runs. */
function drawnRuns() {
  return compared("runs").rows.map((run, place) => ({...run, place}));
}
