// Filters, sorting and addresses for the table of all claims. Without this script the table is
// complete and its claims open; it only stands still.
(function () {
  "use strict";
  const table = document.querySelector("table.all-claims");
  if (!table) return;
  const body = table.tBodies[0];
  const heads = Array.from(table.tHead.rows[0].cells);
  const rows = Array.from(body.rows);
  const texts = new Map(rows.map((row) => [row, searched(row).toLowerCase()]));
  const kinds = ["document", "verdict", "evidence", "group"];
  const controls = {};

  const form = document.createElement("form");
  form.className = "filters";
  form.setAttribute("role", "search");
  form.addEventListener("submit", (event) => event.preventDefault());

  function field(name, control) {
    const label = document.createElement("label");
    label.append(name, control);
    form.append(label);
    control.name = name;
    controls[name] = control;
  }

  for (const kind of kinds) {
    const select = document.createElement("select");
    select.append(new Option("all", ""));
    for (const value of [...new Set(rows.map((row) => row.dataset[kind]))].sort()) {
      select.append(new Option(value, value));
    }
    field(kind, select);
  }
  const search = document.createElement("input");
  search.type = "search";
  field("words", search);
  for (const event of ["input", "change"]) form.addEventListener(event, show);
  const reset = document.createElement("button");
  reset.type = "button";
  reset.textContent = "Show all";
  reset.addEventListener("click", showAll);
  form.append(reset);
  const count = document.createElement("p");
  count.setAttribute("role", "status");
  table.parentElement.before(form, count);

  // all of a row but what every story has
  function searched(row) {
    const parts = row.querySelectorAll("summary, td:not(.claim), dd:not(.common)");
    return Array.from(parts, (part) => part.textContent).join(" ");
  }

  function chosen() {
    return Object.entries(controls).filter(([, control]) => control.value);
  }

  function show() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const picked = kinds.filter((kind) => controls[kind].value);
    let shown = 0;
    for (const row of rows) {
      row.hidden =
        picked.some((kind) => row.dataset[kind] !== controls[kind].value) ||
        words.some((word) => !texts.get(row).includes(word));
      if (!row.hidden) shown += 1;
    }
    count.textContent = `${shown} of ${rows.length} claims`;
    reset.hidden = !chosen().length;
    remember();
  }

  function showAll() {
    for (const control of Object.values(controls)) control.value = "";
    show();
    search.focus({ preventScroll: true });
  }

  // the address carries filters and order, so that a view can be shared
  function remember(anchor = location.hash) {
    const state = new URLSearchParams(chosen().map(([name, control]) => [name, control.value]));
    const sorted = heads.find((head) => head.hasAttribute("aria-sort"));
    if (sorted) state.set("sort", `${sorted.textContent} ${sorted.getAttribute("aria-sort")}`);
    const query = state.toString();
    history.replaceState(null, "", `${location.pathname}${query && `?${query}`}${anchor}`);
  }

  function sort(head, order) {
    for (const other of heads) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", order);
    const column = heads.indexOf(head);
    const sign = order === "descending" ? -1 : 1;
    const keys = new Map(rows.map((row) => [row, key(row.cells[column])]));
    rows.sort((a, b) => compare(keys.get(a), keys.get(b), sign));
    body.append(...rows);
  }

  function key(cell) {
    const text = (cell.querySelector("summary") || cell).textContent.trim();
    const number = parseFloat(text.replace(/(\d)[,\s](?=\d{3})/g, "$1").replace("\u2212", "-"));
    return { text, number };
  }

  // numbers before words, and what is not measured last in either direction
  function compare(a, b, sign) {
    if (!a.text || !b.text) return !a.text - !b.text;
    const words = [a, b].map((one) => Number.isNaN(one.number));
    if (words[0] !== words[1]) return sign * (words[0] - words[1]);
    return sign * (words[0] ? a.text.localeCompare(b.text, "en") : a.number - b.number);
  }

  for (const head of heads) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      sort(head, head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending");
      remember();
    });
  }

  function openAsked() {
    const story = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!story || !body.contains(story)) return;
    story.closest("details").open = true;
    if (story.closest("tr").hidden) showAll();
    story.closest("tr").scrollIntoView();
  }

  body.addEventListener("toggle", ({ target }) => {
    if (target.open) remember(`#${target.querySelector(".story").id}`);
  }, true);
  window.addEventListener("hashchange", openAsked);

  const asked = new URLSearchParams(location.search);
  for (const [name, control] of Object.entries(controls)) {
    if (asked.has(name)) control.value = asked.get(name);
  }
  const [name, order] = (asked.get("sort") || "").split(" ");
  const head = heads.find((one) => one.textContent === name);
  if (head && ["ascending", "descending"].includes(order)) sort(head, order);
  show();
  openAsked();
})();
