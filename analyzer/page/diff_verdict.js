/* The verdict of a comparison, what it rests on, and whose runs these are. */
const VERDICTS = {pass: ["\u2713", "Pass"], fail: ["\u2715", "Fail"],
                  incomparable: ["?", "Not comparable"]};
const SIDES = ["base", "candidate"];

const compared = (name) => read("diff", name);
const runsOf = (side) => compared("runs").rows.filter((run) => run.side === side);

/* What all runs of a side have in common; null where they have not. */
function common(side, name) {
  const values = new Set(runsOf(side).map((run) => run[name]));
  return values.size === 1 ? [...values][0] : null;
}

/* The name of a run without the folder that all of them are in. */
function runName(run) {
  const names = compared("runs").rows.map((other) => other.run);
  let end = names[0].lastIndexOf("/") + 1;
  while (end > 0 && !names.every((name) => name.startsWith(names[0].slice(0, end))))
    end = end === 1 ? 0 : names[0].lastIndexOf("/", end - 2) + 1;
  return run.run.slice(end);
}

/* A side by its commit, where that tells the sides apart; otherwise by its runs. */
function sideName(side) {
  const commits = SIDES.map((each) => common(each, "commit"));
  const runs = runsOf(side);
  if (commits[0] !== null && commits[1] !== null && commits[0] !== commits[1])
    return common(side, "commit").slice(0, 12);
  return runs.length === 0 ? side : runs.length === 1 ? runName(runs[0])
    : runName(runs[0]) + " \u2026 " + runName(runs[runs.length - 1]);
}

function sideCard(side) {
  const runs = runsOf(side);
  const frames = runs.reduce((sum, run) => sum + run.frames, 0);
  const name = sideName(side);
  const commit = common(side, "commit");
  const facts = [count(runs.length, "run"), count(frames, "frame"), common(side, "flavor"),
                 commit && !commit.startsWith(name) && "commit " + commit];
  return make("div", {class: "side"}, make("h3", {title: commit}, make("i", {class: "key-" + side}), side + ": ",
                                           make("bdi", {}, name)),
              make("p", {class: "quiet"}, facts.filter(Boolean).join(" \u00b7 ")),
              runs.length === 1 ? "" : make("details", {}, make("summary", {}, "its runs"),
                   make("ul", {}, ...runs.map((run) => make("li", {}, make("bdi", {}, run.run))))));
}

/* How many of each finding there are. */
function tally(verdict) {
  const counts = [["regressions", "regression"], ["suspected", "suspected change"],
    ["improvements", "improvement"], ["budgets_exceeded", "exceeded budget"], ["new_scopes", "new scope"],
    ["gone_scopes", "gone scope"]];
  return counts.filter(([name]) => verdict[name] > 0 || name === "regressions")
    .map(([name, noun]) => count(verdict[name], noun)).join(" \u00b7 ");
}

function remarks(kind) {
  return compared("remarks").rows.filter((row) => row.kind === kind)
    .map((row) => make("li", {}, make("bdi", {}, row.text)));
}

function verdictBox(verdict) {
  const [sign, word] = VERDICTS[verdict.verdict];
  const isJudged = verdict.verdict !== "incomparable";
  const evidence = [verdict.evidence, verdict.level_percent === null || !verdict.tested ? null
    : "of comparisons of the same code, at most " + percent(verdict.level_percent) +
      " find a regression anywhere"].filter(Boolean).join("; ");
  const facts = [["failed on", verdict.failed_on], ["found", isJudged ? tally(verdict) : null],
                 ["evidence", evidence || null]].filter((fact) => fact[1] !== null);
  const reasons = remarks("reason");
  return make("section", {class: "verdict " + verdict.verdict, "aria-label": "Verdict"},
    make("p", {class: "word"}, make("span", {"aria-hidden": "true"}, sign + "\u00a0"), word),
    make("div", {}, make("p", {class: "summary"}, make("bdi", {}, verdict.summary || "")),
         reasons.length === 0 ? "" : make("ul", {class: "reasons"}, ...reasons),
         make("dl", {class: "facts"}, ...facts.flatMap(([name, text]) => [make("dt", {}, name),
           make("dd", {}, text)]))));
}

/* Everything that must be known before a number is read. */
function verdictParts(verdict) {
  const warnings = remarks("warning");
  const names = SIDES.map(sideName);
  document.title = VERDICTS[verdict.verdict][1] + ": " + names.join(" \u2192 ") + " \u2013 Ludus trace";
  document.getElementById("program").replaceChildren(make("bdi", {}, names[0]), " \u2192 ",
                                                     make("bdi", {}, names[1]));
  document.getElementById("session").textContent =
    "A comparison of two sets of captures: what the candidate changes in the base.";
  return [verdictBox(verdict), make("div", {class: "sides"}, ...SIDES.map(sideCard)),
    warnings.length === 0 ? "" : make("div", {class: "banner"}, make("h2", {}, "To be known"),
                                      make("ul", {}, ...warnings))];
}
