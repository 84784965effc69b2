// Filters and sorting for the table of all claims. Without this script the table is complete, only still.
(function () {
  "use strict";
  const table = document.querySelector("table.all-claims");
  if (!table) return;
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const kinds = ["document", "verdict", "evidence", "group"];
  const chosen = {};

  const form = document.createElement("form");
  form.className = "filters";
  form.setAttribute("role", "search");
  form.addEventListener("submit", (event) => event.preventDefault());

  function field(label, control) {
    const wrapper = document.createElement("label");
    wrapper.append(label, control);
    form.append(wrapper);
    return control;
  }

  for (const kind of kinds) {
    const select = field(kind, document.createElement("select"));
    select.name = kind;
    select.append(new Option("all", ""));
    for (const value of [...new Set(rows.map((row) => row.dataset[kind]))].sort()) {
      select.append(new Option(value, value));
    }
    select.addEventListener("change", show);
    chosen[kind] = select;
  }
  const search = field("words", document.createElement("input"));
  search.type = "search";
  search.addEventListener("input", show);
  const count = document.createElement("p");
  count.setAttribute("role", "status");
  table.parentElement.before(form, count);

  function show() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden =
        kinds.some((kind) => chosen[kind].value && row.dataset[kind] !== chosen[kind].value) ||
        words.some((word) => !text.includes(word));
      if (!row.hidden) shown += 1;
    }
    count.textContent = `${shown} of ${rows.length} claims`;
  }

  Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (row) => row.cells[column].textContent.trim();
      rows.sort((a, b) => key(a).localeCompare(key(b), "en", { numeric: true }) * (down ? -1 : 1));
      body.append(...rows);
    });
  });

  // an address may carry filters: claims.html?document=004&verdict=differs
  const asked = new URLSearchParams(location.search);
  for (const kind of kinds) if (asked.has(kind)) chosen[kind].value = asked.get(kind);
  if (asked.has("words")) search.value = asked.get("words");
  show();
})();
