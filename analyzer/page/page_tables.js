/* Tables that are sorted by a click on a heading. */
const FIRST_ROWS = 100; /* that are drawn at once; the others on demand */

/* What is not known comes last, whichever way. */
function compare(a, b, falling) {
  if (a === null || b === null)
    return a === b ? 0 : a === null ? 1 : -1;
  const order = a < b ? -1 : a > b ? 1 : 0;
  return falling ? -order : order;
}

function isText(rows, column) {
  return rows.some((row) => typeof row[column.name] === "string");
}

function tableRow(row, columns, texts) {
  const line = make("tr", row.is_waiting === "yes" ? {class: "waiting"} : {});
  for (const column of columns) {
    const text = cell(row[column.name], column);
    const wide = texts.has(column.name) && text.length > 20;
    const below = column.below && row[column.below];
    line.append(make("td", {class: texts.has(column.name) ? "text" : null, title: wide ? text : null},
                     column.name === "finding" && row.finding !== null ? badge(row.finding) : text,
                     below ? make("small", {title: below}, below) : ""));
  }
  return line;
}

/* The columns' meanings: also for those who have no pointer to hover with. */
function explain(columns) {
  const list = make("dl", {});
  for (const column of columns)
    list.append(make("dt", {}, column.title), make("dd", {}, meaning(column)));
  return make("details", {}, make("summary", {}, "What the columns mean"), list);
}

/* A table of these columns, in the order of the rows until a heading is clicked. A column may have another one's
 * values `below` its own. */
function sortable(table, rows, names, label) {
  const columns = names.map((name) => table.columns.find((column) => column.name === name))
    .filter((column) => column && rows.some((row) => row[column.name] !== null));
  const texts = new Set(columns.filter((column) => isText(rows, column))
    .map((column) => column.name));
  const head = make("tr", {});
  const body = make("tbody", {});
  const all = make("button", {type: "button", class: "plain-button"}, "Show all " +
                   count(rows.length, "row"));
  let sorted = rows;
  let shown = FIRST_ROWS;
  const show = () => {
    all.hidden = rows.length <= shown;
    body.replaceChildren(...sorted.slice(0, shown).map((row) => tableRow(row, columns, texts)));
  };
  all.addEventListener("click", () => {
    shown = rows.length;
    show();
  });
  for (const column of columns) {
    const button = make("button", {type: "button", title: meaning(column)}, column.title);
    const heading = make("th", {scope: "col", class: texts.has(column.name) ? "text" : null},
                         button);
    button.addEventListener("click", () => {
      const was = heading.getAttribute("aria-sort");
      const falling = was === null ? !texts.has(column.name) : was === "ascending";
      for (const other of head.children)
        other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", falling ? "descending" : "ascending");
      const value = (row) => column.name === "finding" ? gravity(row.finding) : row[column.name];
      sorted = [...rows].sort((a, b) => compare(value(a), value(b), falling));
      show();
    });
    head.append(heading);
  }
  show();
  return make("div", {class: "table"},
    make("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": label},
      make("table", {"aria-label": label}, make("thead", {}, head), body)),
    all, explain(columns));
}

/* Notes of a report, without what is about its options. */
function about(...texts) {
  return texts.filter(Boolean).map((text) => make("p", {class: "about"}, text));
}

/* What of a table the page does not have. */
function leftOut(table, command) {
  return table.total > table.rows.length
    ? "The first " + grouped(table.rows.length) + " of " + count(table.total, "row") + "; " +
      command + " has all." : "";
}
