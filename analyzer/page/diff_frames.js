/* Frame times of a comparison: as numbers, as a chart of a run of each side, and how they are distributed. */

/* A number of both sides, by how much it changed, and what is found of that. */
function sideTile(name, [base, candidate], [low, high], show, row, more) {
  const change = changeOf(base, candidate);
  const bounds = low === null ? "" : ", by " + signed(show(low), low) + " to " + signed(show(high), high) +
    " with 95 % confidence";
  return tile(name, show(base) + " \u2192 " + show(candidate), [
    make("strong", {}, change === null ? "" : signed(percent(change), change) + " "),
    row.finding === null ? "not judged" : badge(row.finding), bounds, more], row.finding === "regression");
}

function sideTiles() {
  const tiles = compared("frames").rows.map((row) => sideTile(row.measure, [row.base_ns, row.candidate_ns],
    [row.low_ns, row.high_ns], time, row, ""));
  for (const row of compared("hitches").rows)
    tiles.push(sideTile("hitches in 1,000 frames", [row.base_per_1000, row.candidate_per_1000],
      [row.low_per_1000, row.high_per_1000], rate, row, "; longer than " + time(row.limit_ns) + ", " + row.limit_is));
  return tiles.length === 0 ? "" : make("div", {class: "tiles wide"}, ...tiles);
}

function chartOfRuns(runs) {
  const bins = frameBins();
  const [hitches] = compared("hitches").rows;
  const chart = new SidesChart(hitches ? hitches.limit_ns : null);
  const choice = new RunChoice(runs, (chosen) => chart.draw(chosen.map(
    (run) => bins.filter((bin) => bin.run === run.place))));
  const entries = [["key-base",
    "base: an area, paler from the shortest to the longest frame of a column; \u25bd its longest"],
                   ["key-candidate", "candidate: a line, with a band down to the shortest; \u25bc its longest"]];
  if (hitches)
    entries.push(["key-budget", "longer is a hitch: " + time(hitches.limit_ns)]);
  const strip = runs.length < 3 ? [] : [make("h3", {}, "Median frames of all runs, in the order of recording"),
    ...about("Runs of one side differ by noise alone; sides that were not recorded in turns differ by what the " +
             "machine did meanwhile, too. Lines are the means, which the verdict compares."), ...choice.strip()];
  const parts = [choice.labels(), keys(entries), cutBox(chart, bins), chart.frame, chart.readout, ...strip];
  choice.show();
  return parts;
}

/* Where hitches are so long that other frames are flat beside them, they can be cut off. */
function cutBox(chart, bins) {
  const box = make("input", {type: "checkbox"});
  const most = CUT * chart.limit;
  box.addEventListener("change", () => chart.cut(box.checked));
  return chart.limit === null || !bins.some((bin) => bin.max_ns > most) ? ""
    : make("label", {class: "about"}, box, " cut off at " + time(most) + " what is longer, to see the others");
}

function frameBins() {
  return read("bins", "bins").rows;
}

function sideFrames() {
  const frames = compared("frames");
  const bins = frameBins();
  const runs = drawnRuns();
  const hasChart = SIDES.every((side) => bins.some((bin) => bin.side === side));
  return section("Frame times", about(...frames.notes, hasChart ? "Of the frames of one run a side below, both " +
    "begin on the left with their first frame." : "There are no frames to draw" +
    (data.no_bins ? ": " + data.no_bins : "") + "."), sideTiles(), hasChart ? chartOfRuns(runs) : []);
}

function sideDistribution() {
  const rows = read("distribution", "histogram").rows;
  if (rows.length === 0)
    return [];
  const totals = SIDES.map((side) => rows.reduce((sum, row) => sum + row[side + "_frames"], 0));
  const most = Math.max(...rows.flatMap((row) => SIDES.map((side) => row[side + "_percent"] || 0))) || 1;
  const box = make("div", {class: "bars of-sides"});
  for (const row of rows) {
    const pair = make("span", {class: "pair"});
    const numbers = make("span", {class: "pair numbers"});
    for (const side of SIDES) {
      const bar = make("span", {class: "bar of-" + side});
      bar.style.width = 100 * (row[side + "_percent"] || 0) / most + "%";
      pair.append(bar);
      numbers.append(make("span", {}, percent(row[side + "_percent"])),
                     make("span", {class: "share"}, grouped(row[side + "_frames"])));
    }
    box.append(make("span", {}, axisTime(row.from_ns) + " \u2013 " + axisTime(row.until_ns)), pair, numbers);
  }
  return [section("Distribution", about("Frames by how long they were: which share of a side's frames, of all its " +
    "runs, and how many. Base " + grouped(totals[0]) + ", candidate " + count(totals[1], "frame") + "."),
    keys([["key-base", "base, above"], ["key-candidate", "candidate, below"]]), box)];
}
