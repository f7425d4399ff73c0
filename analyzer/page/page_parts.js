/* What pages are put together of. */

function section(title, ...parts) {
  const box = make("section", {"aria-label": title}, make("h2", {}, title));
  box.append(...parts.flat());
  return box;
}

/* A number with its name, and what it is of. */
function tile(name, value, note, isBad) {
  return make("dl", {class: isBad ? "tile bad" : "tile"}, make("dt", {}, name),
              make("dd", {}, value, note ? make("small", {}, ...[note].flat()) : ""));
}

/* What colours mean: a sample's class or those of several, a text, and a hue where it has one. */
function keys(entries) {
  return make("ul", {class: "keys"}, ...entries.map(([style, text, hue]) => {
    const samples = [style].flat().map((each) => make("i", {class: each}));
    if (hue !== undefined)
      samples[0].style.setProperty("--hue", hue);
    return make("li", {}, ...samples, make("bdi", {}, text));
  }));
}
