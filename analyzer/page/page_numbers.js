/* The data, and how their values are shown: as tables on a terminal show them. */
const data = JSON.parse(document.getElementById("data").textContent);
const UNKNOWN = "\u2013";

/* Makes an element. Text goes in as text: no name can be markup. */
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {}))
    if (value !== null && value !== undefined)
      element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function draw(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes))
    element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/* A table of a report; rows become objects. One that the page has not is empty. */
function read(report, name) {
  const table = (data[report] || {})[name] || {titles: [], columns: [], rows: [], notes: []};
  const columns = table.columns.map((column, i) => ({...column, title: table.titles[i]}));
  return {
    title: table.title,
    columns,
    notes: table.notes,
    total: table.row_count || 0,
    rows: table.rows.map(
      (row) => Object.fromEntries(columns.map((column, i) => [column.name, row[i]]))),
  };
}

function grouped(value) {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/* Four digits, as tables have them. */
function digits(value) {
  const size = Math.abs(value);
  return value.toFixed(size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3);
}

function time(ns) {
  if (ns === null || ns === undefined)
    return UNKNOWN;
  const size = Math.abs(ns);
  if (size < 999.95)
    return (Number.isInteger(ns) ? String(ns) : size < 0.05 ? ns.toPrecision(1) : ns.toFixed(1)) + " ns";
  if (size < 999.95e3)
    return digits(ns / 1e3) + " \u00b5s";
  return size < 999.95e6 ? digits(ns / 1e6) + " ms" : digits(ns / 1e9) + " s";
}

/* A time at which something was, of which more digits count. */
function moment(ns) {
  return ns === null || Math.abs(ns) < 1e6 ? time(ns) : (ns / 1e9).toFixed(6) + " s";
}

function percent(value) {
  if (value === null || value === undefined)
    return UNKNOWN;
  const size = Math.abs(value);
  return size !== 0 && size < 0.0005 ? "< 0.001 %"
    : (size !== 0 && size < 0.05 ? value.toPrecision(1) : value.toFixed(1)) + " %";
}

function rate(value) {
  if (value === null || value === undefined)
    return UNKNOWN;
  return value !== 0 && Math.abs(value) < 0.005 ? value.toPrecision(2) : grouped(value.toFixed(2));
}

/* Columns whose numbers are changes: there a plus says something. */
const CHANGES = new Set(["change", "change_ns", "change_percent", "low_ns", "high_ns", "low_per_1000",
                         "high_per_1000", "workload_ns", "cost_ns"]);

function cell(value, column) {
  if (value === null)
    return UNKNOWN;
  if (typeof value === "string")
    return value;
  return (CHANGES.has(column.name) && value > 0 ? "+" : "") + number(value, column);
}

function number(value, column) {
  switch (column.name) {
  case "begin_ns": return moment(value);
  case "start_unix_ns": return new Date(value / 1e6).toISOString().slice(0, 19).replace("T", " ");
  case "p": return value.toFixed(4);
  }
  switch (column.unit) {
  case "ns": return time(value);
  case "percent": return percent(value);
  case "per frame": return rate(value);
  case "count": return Number.isInteger(value) ? grouped(value) : rate(value);
  default: return Number.isInteger(value) ? String(value) : rate(value);
  }
}

/* What a number is of, in words. */
function meaning(column) {
  return column.description + (column.unit ? " Unit: " + column.unit + "." : "") +
    (column.window ? " Window: " + column.window + "." : "") +
    (column.denominator ? " Divided by: " + column.denominator + "." : "");
}

/* "1 frame", "2 frames", "2 hitches". */
function count(value, noun, nouns) {
  return grouped(value) + " " + (value === 1 ? noun : nouns || noun + "s");
}
