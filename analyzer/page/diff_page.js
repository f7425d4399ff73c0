/* The page of a comparison: the verdict first, then what made it, then all that was compared. */
const CALL_COLUMNS = ["base_calls_per_frame", "candidate_calls_per_frame", "base_call_ns", "candidate_call_ns"];
const SCOPE_COLUMNS = ["name", "finding", "base_ns", "candidate_ns", "change_ns", "change_percent", "low_ns",
  "high_ns", "p", "explains_percent", "why", ...CALL_COLUMNS, "category", "file", "base_lines", "candidate_lines",
  "workload_ns", "cost_ns", "evidence", "runs_with"];

/* Headings that stand beside each other on a page, and in a report do not. */
const HEADINGS = {
  base_calls_per_frame: "base calls", candidate_calls_per_frame: "candidate calls", base_call_ns: "base call",
  candidate_call_ns: "candidate call", base_lines: "base lines", candidate_lines: "candidate lines",
  base_hitches: "base, in all", candidate_hitches: "candidate, in all", least_base: "least of base",
  most_base: "most of base", lost_percent: "lost, part",
};

const PATH = " > "; /* between callers and what they call, where data.by is "path" */

/* Tables whose names are paths then; what changed is, too, where it is of these. */
const PATH_TABLES = ["scopes", "work", "waiting"];

/* A scope may be called as a path is written: the longest name that fits is the path's last. */
const scopeNames = [...new Set(read("contexts", "contexts").rows.map((row) => row.scope))]
  .sort((a, b) => b.length - a.length);

/* Where the last name of a path begins. */
function lastName(path) {
  const name = scopeNames.find((each) => path === each || path.endsWith(PATH + each));
  return name === undefined ? path.lastIndexOf(PATH) + PATH.length : path.length - name.length;
}

/* Of a path the last name is what it is about; its callers stand below, with the place if there is one. */
function withCallers(row, name, place, isPath) {
  const path = row[name] || "";
  const begin = isPath && path.includes(PATH) ? lastName(path) : 0;
  const below = [path.slice(0, Math.max(0, begin - PATH.length)), place].filter(Boolean);
  return {...row, [name]: begin === 0 ? row[name] : path.slice(begin), below: below.join(" \u00b7 ") || null};
}

function comparedTable(name, columns) {
  const table = compared(name);
  const heads = table.columns.map((column) => ({...column, title: HEADINGS[column.name] || column.title,
                                                below: column.name === columns[0] ? "below" : undefined}));
  const isOfPaths = data.by === "path" && PATH_TABLES.includes(name);
  return sortable({...table, columns: heads}, table.rows.map((row) => withCallers(row, columns[0], null, isOfPaths)),
                  columns, table.title);
}

/* A table of the report as a section; without rows there is none. */
function comparedSection(name, columns) {
  const table = compared(name);
  return table.rows.length === 0 ? []
    : [section(table.title, about(...table.notes, leftOut(table, "ludus-trace diff --top 0")),
               comparedTable(name, columns))];
}

/* Whether a change is of this row of another table: of one with names it begins with the name, or with what of a
 * long one stands before the cut. */
function isOf(change, row) {
  return change.base_ns === row.base_ns && change.candidate_ns === row.candidate_ns &&
    (row.name === undefined ? change.category === null
      : change.what.startsWith(row.name.split("\u2026")[0]) && change.category === row.category);
}

/* Where a change is, and its bounds: of the row of the table that it is from. */
function withPlace(change, paths, others) {
  const path = paths.find((row) => isOf(change, row));
  const row = path || others.find((other) => isOf(change, other)) || {};
  const lines = row.candidate_lines || row.base_lines;
  const place = row.file ? row.file + (lines ? ":" + lines : "") : null;
  return {...withCallers(change, "what", place, path && data.by === "path"), low_ns: row.low_ns ?? null, high_ns: row.high_ns ?? null,
          explains_percent: row.explains_percent ?? null};
}

function changesSection() {
  const changes = compared("changes");
  if (changes.rows.length === 0)
    return section("What changed", about("Nothing changed by what counts, and evidently."));
  const more = compared("scopes").columns.filter(
    (column) => ["low_ns", "high_ns", "explains_percent"].includes(column.name));
  const columns = changes.columns.map((column) => column.name === "what" ? {...column, below: "below",
    description: column.description + " Below it: where it is in the source."} : column);
  const [paths, others] = [PATH_TABLES, ["frames", "gpu"]].map(
    (names) => names.flatMap((name) => compared(name).rows));
  return section("What changed", about("Means of each side's runs, per frame; of scopes exclusive time. The change " +
    "is from \u201cat least\u201d to \u201cat most\u201d with 95 % confidence.", ...changes.notes,
    leftOut(changes, "ludus-trace diff")),
    sortable({...changes, columns: [...columns, ...more]},
      changes.rows.map((row) => withPlace(row, paths, others)), ["what", "change_percent", "finding", "base_ns",
      "candidate_ns", "why", "low_ns", "high_ns", "p", "explains_percent", "change_ns", "evidence", "category"],
      "What changed"));
}

/* What is shown and not judged is there for those who look for it. */
function waitingSection() {
  const waiting = compared("waiting");
  return waiting.rows.length === 0 ? [] : [section("Waiting", make("details", {},
    make("summary", {}, waiting.title + ": " + count(waiting.rows.length, "row")),
    ...about(...waiting.notes), comparedTable("waiting", SCOPE_COLUMNS)))];
}

function decisionSection(verdict) {
  const columns = compared("verdict").columns.filter(
    ({name}) => name !== "summary" && verdict[name] !== null);
  return section("How it was decided", make("dl", {class: "facts"}, ...columns.flatMap((column) => [
    make("dt", {title: meaning(column)}, column.title), make("dd", {}, cell(verdict[column.name], column))])),
    explain(columns));
}

function showComparison() {
  const [verdict] = compared("verdict").rows;
  const isJudged = verdict.verdict !== "incomparable";
  document.getElementById("content").replaceChildren(
    ...verdictParts(verdict),
    ...(isJudged ? [changesSection()] : []),
    ...comparedSection("budgets", ["what", "finding", "of", "value_ns", "budget_ns", "value", "budget"]),
    sideFrames(), ...sideDistribution(), ...changeTrees(verdict),
    ...comparedSection("scopes", SCOPE_COLUMNS), ...comparedSection("work", SCOPE_COLUMNS), ...waitingSection(),
    ...comparedSection("gpu", SCOPE_COLUMNS),
    ...comparedSection("unpaired", ["what", "side", "category", "per_frame_ns", "calls_per_frame", "value",
      "explains_percent", "runs_with", "file", "lines"]),
    ...comparedSection("counters", ["name", "kind", "base", "candidate", "change", "change_percent", "least_base",
      "most_base", "runs_with", "file"]),
    ...comparedSection("runs", ["run", "side", "start_unix_ns", "commit", "flavor", "frames", "mean_ns", "p50_ns",
      "p95_ns", "p99_ns", "max_ns", "hitches_per_1000", "events_lost", "lost_percent"]),
    decisionSection(verdict));
}
