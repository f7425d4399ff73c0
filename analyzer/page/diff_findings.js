/* Findings of a comparison, and changes, in words and signs that need no colour. */
const FINDINGS = new Map([ /* the gravest first: a sign, and how it looks */
  ["regression", ["\u25b2", "bad"]], ["exceeded", ["\u25b2", "bad"]],
  ["suspected", ["\u25b3", "doubtful"]], ["improvement", ["\u25bc", "good"]],
  ["maybe better", ["\u25bd", "doubtful"]], ["noise", ["\u223f", ""]], ["few calls", ["\u223f", ""]],
  ["held", ["\u2713", ""]], ["same", ["=", ""]],
]);

/* A finding's place among them, from the gravest on: tables are sorted by it. */
function gravity(finding) {
  const at = [...FINDINGS.keys()].indexOf(finding);
  return at < 0 ? null : at;
}

function badge(finding) {
  const [sign, look] = FINDINGS.get(finding) || ["", ""];
  return make("span", {class: "finding " + look}, make("span", {"aria-hidden": "true"}, sign + "\u00a0"),
              finding);
}

/* The change of a value as a part of it. */
function changeOf(before, after) {
  return before === null || after === null || before === 0 ? null : 100 * (after - before) / before;
}

/* With a sign, but for what is less than can be told. */
function signed(text, value) {
  return (value > 0 && !text.startsWith("<") ? "+" : "") + text;
}

/* "40.0 ms → 50.0 ms (+25.0 %)" */
function fromTo(before, after, show) {
  const change = changeOf(before, after);
  return show(before) + " \u2192 " + show(after) + (change === null ? "" : " (" +
    signed(percent(change), change) + ")");
}
