/* The page of a capture: what must be known of it first, then one window of it from frames to scopes. */
/* Of the reports: what they always say, and the page says in its own words. */
const GENERAL_NOTES = /^(Window:|Sums over tracks|Other rows:|Of what begins|Of the whole capture)/;

const summary = (name) => read("summarize", name);

const inWindow = (table, window) => table.rows.filter((row) => row.window === window);

/* --- what is the same for all windows ------------------------------------------------------- */

function showSession() {
  const [session] = summary("session").rows;
  const program = session.program || "A recording";
  document.title = program + " \u2013 Ludus trace";
  document.getElementById("program").textContent = program;
  document.getElementById("session").textContent = [
    session.started && "recorded " + session.started,
    time(session.duration_ns) + (session.window_begin_ns === null ? "" : ", a part of a recording, from " +
      moment(session.window_begin_ns)),
    session.build_commit && "commit " + session.build_commit, session.build_flavor,
    session.machine && session.machine + (session.cores ? ", " + session.cores + " cores" : ""),
    session.os, count(session.events, "event"), "resolution " + time(session.resolution_ns),
    "capture " + session.capture_id].filter(Boolean).join(" \u00b7 ");
}

function showWarnings() {
  const box = document.getElementById("warnings");
  if (data.warnings.length === 0 && !data.has_loss) {
    box.replaceChildren(make("p", {class: "whole"},
      "Nothing is known to be missing: no loss, no damage, and the recording was finished."));
    return;
  }
  box.replaceChildren(make("div", {class: data.has_loss ? "banner missing" : "banner", role: "alert"},
    make("h2", {}, data.has_loss ? "Something is missing in this capture" : "To be known"),
    make("ul", {}, ...data.warnings.map((line) => make("li", {}, make("bdi", {}, line)))),
    data.has_loss ? make("p", {}, "Numbers below are of what is there; where one cannot be known, " +
                         "there is a dash.") : ""));
}

function lossSection() {
  const losses = summary("losses");
  const names = ["track", "cause", "scopes", "instants", "frame_marks", "flows", "gauges", "events",
                 "begin_ns", "end_ns"];
  return section("Losses", losses.rows.length === 0
    ? about("No loss is known, over the whole capture.")
    : [...about("Events that were emitted and are not in the capture, over the whole of it.",
                leftOut(losses, "ludus-trace info")), sortable(losses, losses.rows, names, "Losses")]);
}

/* --- frames ---------------------------------------------------------------------------------- */

function frameTiles(facts, over, queues) {
  const rank = (name) => tile(name === "p999" ? "p99.9" : name, time(facts[name + "_ns"]), facts[name + "_frame"] === null ? ""
    : "frame " + facts[name + "_frame"]);
  const tiles = [tile("frames", grouped(facts.frames), grouped(facts.frames_incomplete) +
                      " incomplete left out"),
                 tile("mean", time(facts.mean_ns), rate(facts.frames_per_second) + " frames/s"),
                 ...["p50", "p90", "p99", "p999", "max"].map(rank)];
  if (over && over.budget_ns !== null)
    tiles.push(tile("over " + time(over.budget_ns), grouped(over.frames_over) + " frames",
                    percent(over.over_percent) + " of the frames, at most " +
                    grouped(over.longest_run) + " in a row", over.frames_over > 0));
  if (over && over.frames_lost > 0)
    tiles.push(tile("frames with losses", grouped(over.frames_lost), "of " + grouped(facts.frames), true));
  for (const queue of queues.slice(0, 3))
    tiles.push(tile("GPU: " + queue.queue, time(queue.mean_ns), "mean of " +
      count(queue.sampled, "sampled frame") + "; " + percent(queue.coverage_percent) +
      " of the recording's were", queue.coverage_percent < 50));
  return make("div", {class: "tiles"}, ...tiles);
}

function chartParts(bins, worst, budget) {
  const chart = new FrameChart(bins, worst.map(
    (row) => ({frame: row.frame, max_ns: row.duration_ns, side: ""})), budget);
  const entries = [["key-shortest", bins.some((bin) => bin.frames > 1) || bins.length > 300
    ? "the shortest frame of a column" : "a frame"]];
  if (entries[0][1] !== "a frame")
    entries.push(["key-longest", "its longest frame"]);
  if (budget !== null)
    entries.push(["key-budget", "budget " + time(budget)], ["key-over", "over it"]);
  if (bins.some((bin) => bin.gpu_ns !== null))
    entries.push(["key-gpu", "GPU time of what was submitted in it, where it was sampled"]);
  if (bins.some((bin) => bin.lost > 0))
    entries.push(["key-lost", "a loss overlaps it"]);
  return [keys(entries), chart.frame, chart.readout];
}

function histogram(bins, budget) {
  const total = bins.reduce((sum, bin) => sum + bin.frames, 0);
  const most = Math.max(1, ...bins.map((bin) => bin.frames));
  const box = make("div", {class: "bars"});
  for (const bin of bins) {
    const bar = make("span", {class: budget !== null && bin.from_ns >= budget ? "bar over" : "bar"});
    bar.style.width = 100 * bin.frames / most + "%";
    box.append(make("span", {}, axisTime(bin.from_ns) + " \u2013 " + axisTime(bin.until_ns)),
               make("span", {}, bar),
               make("span", {}, grouped(bin.frames) + " ", make("span", {class: "share"},
                    total === 0 ? "" : percent(100 * bin.frames / total))));
  }
  return box;
}

function frameSections(window, windowFacts) {
  if (data.no_frames)
    return [section("Frames", about("There are no frames to show: " + data.no_frames + "."))];
  const facts = inWindow(summary("frames"), window)
    .find((row) => row.domain === windowFacts.domain);
  const over = inWindow(read("frames", "frames"), window)
    .find((row) => row.domain === windowFacts.domain);
  const bins = inWindow(read("bins", "bins"), window);
  if (!facts || bins.length === 0)
    return [section("Frames", about("No complete frame lies in this window."))];
  const budget = over ? over.budget_ns : null;
  const worst = read("frames", "worst");
  const scopes = read("frames", "scopes");
  const worstRows = inWindow(worst, window);
  return [
    section("Frame times", about("The complete frames of " + windowFacts.domain +
      " that lie in the window. Percentiles are nearest-rank: each is a frame that was measured."),
      frameTiles(facts, over, inWindow(summary("gpu"), window)), chartParts(bins, worstRows, budget)),
    section("Distribution", about("Frames by how long they were: how many, and which share of the " +
      grouped(facts.frames) + " frames."), histogram(inWindow(read("frames", "histogram"), window), budget)),
    section("The longest frames", about("What took longer in them than in the median frame; " +
      "ludus-trace frames CAPTURE --explain N shows one of them on one screen."),
      sortable(worst, worstRows, ["frame", "duration_ns", "times_median", "site", "excess_ns", "cause",
                                  "working_ns", "waiting_ns", "gpu_ns", "gpu_queue", "track", "begin_ns",
                                  "has_loss"], "The longest frames"),
      inWindow(scopes, window).length === 0 ? [] : [make("details", {},
        make("summary", {}, "The scopes that exceed their median most, in each of them"),
        ...about(...scopes.notes.slice(0, 1)),
        sortable(scopes, inWindow(scopes, window), ["frame", "site", "category", "excess_ns", "own_ns",
                 "median_ns", "calls", "median_calls", "cause"], "Scopes of the longest frames"))]),
  ];
}

/* --- scopes ---------------------------------------------------------------------------------- */

function flameSection(window, facts) {
  const tree = read("tree", "tree");
  const perFrame = facts.part === "frames";
  const waits = new Set(summary("sites").rows.filter((row) => row.is_waiting === "yes")
    .map((row) => row.category));
  const graph = new CallTree(inWindow(tree, window), perFrame, facts.mean_frame_ns,
                             [...waits][0]);
  if (!graph.root)
    return section("Caller contexts", about("No scope ran in this window."));
  const entries = [...graph.hues].slice(0, HUES.length)
    .map(([name, hue]) => ["key-category", name || "no category", hue]);
  if (graph.waiting)
    entries.push(["key-plain", graph.waiting + ": waiting"]);
  return section("Caller contexts", about(
    "Widths are inclusive time, summed over tracks, " + (perFrame
      ? "divided by the " + count(facts.frames, "complete frame") + " of the window"
      : "of all that begins in the window, since nothing does in a complete frame of it") +
    ": work, which can exceed the frame, and not a timeline. A click or Enter zooms.",
    ...tree.notes.filter((note) => !GENERAL_NOTES.test(note))
      .map((note) => "As ludus-trace tree says: " + note), leftOut(tree, "ludus-trace tree")),
    keys(entries), graph.trail, graph.box, graph.readout);
}

function siteSection(window, facts) {
  const sites = summary("sites");
  const rows = inWindow(sites, window);
  const perFrame = facts.part === "frames";
  const names = ["site", "category"].concat(perFrame
    ? ["exclusive_per_frame_ns", "frame_share_percent", "inclusive_per_frame_ns", "calls_per_frame"]
    : ["exclusive_ns", "inclusive_ns"], ["calls", "inclusive_per_call_ns", "exclusive_per_call_ns",
    "recording_percent", "incomplete", "children_lost", "file", "line"])
    .filter((name) => !["incomplete", "children_lost"].includes(name) || rows.some((row) => row[name] !== 0));
  return section("Sites", about(
    (perFrame ? "Of what begins in the " + count(facts.frames, "complete frame") + " of the window, per frame " +
      "divided by them" : "Of all that begins in the window, since nothing does in a complete frame of it") +
    "; sums over tracks are work. A click on a heading sorts.",
    ...sites.notes.filter((note) => !GENERAL_NOTES.test(note)), leftOut(sites, "ludus-trace summarize --top 0")),
    sortable(sites, rows, names, "Sites"));
}

function gpuSection(window) {
  const queues = inWindow(summary("gpu"), window);
  if (!data.gpu)
    return [];
  const passes = read("gpu", "gpu_passes");
  const coverage = read("gpu", "gpu_coverage");
  const overlap = read("gpu", "gpu_overlap");
  const parts = [];
  if (queues.length !== 0)
    parts.push(sortable(summary("gpu"), queues, ["queue", "mean_ns", "frame_mean_ns", "p50_ns", "p90_ns",
      "p99_ns", "max_ns", "max_frame", "sampled", "not_valid", "outside", "eligible", "coverage_percent"],
      "GPU frames"));
  if (inWindow(passes, window).length !== 0)
    parts.push(make("h3", {}, "Passes"), ...about(...passes.notes.slice(0, 1), leftOut(passes,
      "ludus-trace summarize --gpu")), sortable(passes, inWindow(passes, window), ["pass", "operation",
      "queue", "sum_per_frame_ns", "union_per_frame_ns", "calls_per_frame", "mean_ns", "p50_ns", "p99_ns",
      "max_ns", "gpu_frames", "not_valid", "outside"], "GPU passes"));
  if (inWindow(overlap, window).length !== 0)
    parts.push(make("h3", {}, "At the same time"), sortable(overlap, inWindow(overlap, window), ["queue",
      "sum_per_frame_ns", "union_per_frame_ns", "overlap", "calibrated", "calibrated_frames",
      "uncertainty_ns"], "GPU overlap"));
  if (coverage.rows.length !== 0)
    parts.push(make("h3", {}, "What was measured, over the whole recording"), sortable(coverage,
      coverage.rows, ["track", "subject", "outcome", "count", "share_percent"], "GPU coverage"));
  return [section("GPU beside CPU", about("GPU times of submitted frames, where they were sampled, beside " +
    "the mean frame; a time is between two timestamps of the device."), parts)];
}

function trackSection(window) {
  const tracks = summary("tracks");
  return section("Tracks and coverage", about("What of the window's frames scopes cover.", ...tracks.notes,
    leftOut(tracks, "ludus-trace summarize")),
    sortable(tracks, inWindow(tracks, window), ["track", "kind", "slices", "frames", "frames_lost",
      "covered_per_frame_ns", "unlogged_per_frame_ns", "unlogged_percent", "run_percent", "wait_percent",
      "incomplete"], "Tracks"));
}

/* --- the window ------------------------------------------------------------------------------ */

function showWindow(facts) {
  const window = facts.window;
  document.getElementById("content").replaceChildren(
    ...about("Window " + window + ": from " + moment(facts.begin_ns) + " to " + moment(facts.end_ns) +
             " of the recording" + (facts.domain === null ? "" : ", " +
             count(facts.frames, "complete frame") + " of " + facts.domain) + ", " +
             count(facts.slices, "slice") + " in " + (facts.part === "frames" ? "them" : "it") +
             (facts.outside_slices ? ", " + grouped(facts.outside_slices) + " outside of them" : "") +
             ". Time counts " + (data.attribution === "clip"
               ? "split at the edges of frames." : "where a slice begins.")),
    ...frameSections(window, facts), flameSection(window, facts), siteSection(window, facts),
    ...gpuSection(window), trackSection(window), lossSection());
}

function showCapture() {
  const windows = read("tree", "windows").rows;
  const select = document.getElementById("window");
  showSession();
  showWarnings();
  for (const facts of windows)
    select.append(make("option", {}, facts.window));
  document.getElementById("choice").hidden = windows.length < 2;
  select.addEventListener("change", () => showWindow(windows[select.selectedIndex]));
  showWindow(windows[0]);
}
