/* The explorer: choose a table and a token, see its neighbours and its place on the map.
   A classic script, so that the page works opened from disk. Data: window.EMBEDDING_TABLES. */
(function () {
  "use strict";
  var tables = window.EMBEDDING_TABLES || {};
  var root = document.getElementById("explorer");
  if (!root || !Object.keys(tables).length) { return; }
  root.hidden = false;

  var SVG = "http://www.w3.org/2000/svg";
  // named in ledger.css, light or dark as the page is
  var COLOURS = { countries: "blue", cities: "sky", animals: "green", days: "vermilion",
    numbers: "purple", food: "yellow", feelings: "violet", jobs: "grey" };
  var chooser = document.getElementById("explorer-table");
  var search = document.getElementById("explorer-search");
  var matches = document.getElementById("explorer-matches");
  var heading = document.getElementById("explorer-token");
  var near = document.getElementById("explorer-near");
  var map = document.getElementById("explorer-map");
  var told = document.getElementById("explorer-told");
  var table = null, current = 0;

  function element(name, parent, text) {
    var made = document.createElement(name);
    if (text !== undefined) { made.textContent = text; }
    parent.appendChild(made);
    return made;
  }

  function clear(node) { while (node.firstChild) { node.removeChild(node.firstChild); } }

  function tokenButton(parent, index) {
    var button = element("button", parent, table.names[index]);
    button.type = "button";
    button.addEventListener("click", function () { show(index); });
    return button;
  }

  function listMatches() {
    var wanted = search.value.trim().toLowerCase(), found = [], rest = [], i;
    for (i = 0; i < table.shown; i += 1) {
      var name = table.names[i].toLowerCase().replace(/^_/, "");
      var plain = wanted.replace(/^_/, "");
      if (name === plain) { found.push(i); } else if (name.indexOf(plain) === 0) { rest.push(i); }
    }
    found = found.concat(rest).slice(0, 24);
    clear(matches);
    found.forEach(function (index) { tokenButton(element("li", matches), index); });
    if (!found.length) { element("li", matches, "None of the tokens here begins like this."); }
    return found;
  }

  function drawMap() {
    var places = table.places, size = 320, reach = 0, i;
    for (i = 0; i < table.shown; i += 1) {
      if (table.families[i] || i === current) {
        reach = Math.max(reach, Math.abs(places[i][0]), Math.abs(places[i][1]));
      }
    }
    function x(place) { return size / 2 + (place[0] / reach) * (size / 2 - 14); }
    function y(place) { return size / 2 - (place[1] / reach) * (size / 2 - 14); }
    clear(map);
    for (i = 0; i < table.shown; i += 1) {
      if (table.families[i] && i !== current) { dot(i, 5, COLOURS[table.families[i]] || "grey"); }
    }
    dot(current, 8, "ink");

    function dot(index, radius, colour) {
      var circle = document.createElementNS(SVG, "circle");
      var kind = table.families[index];
      var label = table.names[index] + (kind ? ", " + kind : "");
      circle.setAttribute("cx", x(places[index]).toFixed(1));
      circle.setAttribute("cy", y(places[index]).toFixed(1));
      circle.setAttribute("r", radius);
      circle.style.fill = "var(--" + colour + ")";
      circle.setAttribute("tabindex", "0");
      circle.setAttribute("role", "button");
      circle.setAttribute("aria-label", label);
      if (index === current) { circle.setAttribute("class", "current"); }
      circle.addEventListener("click", function () { show(index); });
      circle.addEventListener("keydown", function (event) {
        if (event.key === "Enter" || event.key === " ") { event.preventDefault(); show(index); }
      });
      ["mouseenter", "focus"].forEach(function (kind) {
        circle.addEventListener(kind, function () { told.textContent = label; });
      });
      map.appendChild(circle);
    }
  }

  function show(index) {
    current = index;
    heading.textContent = table.names[index];
    clear(near);
    var found = table.near[index], i;
    for (i = 0; i < found.length; i += 2) {
      var line = element("tr", near), cell = element("td", line);
      if (found[i] < table.shown) { tokenButton(cell, found[i]); } else {
        cell.textContent = table.names[found[i]];
      }
      element("td", line, (found[i + 1] / 1000).toFixed(3));
    }
    drawMap();
    told.textContent = table.names[index] + " is the large dot.";
  }

  function open(name) {
    table = tables[name];
    document.getElementById("explorer-about").textContent = table.source + ": "
      + table.rows.toLocaleString("en") + " rows, " + table.shown.toLocaleString("en") + " to choose from. "
      + (table.space ? "An underscore stands for a leading space." : "This table knows no leading space and no capitals.");
    search.value = "";
    listMatches();
    show(0);
  }

  Object.keys(COLOURS).forEach(function (name) {
    var item = element("span", document.getElementById("explorer-legend"));
    element("i", item).style.background = "var(--" + COLOURS[name] + ")";
    item.appendChild(document.createTextNode(name));
  });
  Object.keys(tables).forEach(function (name) {
    element("option", chooser, tables[name].title).value = name;
  });
  chooser.addEventListener("change", function () { open(chooser.value); });
  search.addEventListener("input", listMatches);
  search.addEventListener("keydown", function (event) {
    var found = listMatches();
    if (event.key === "Enter" && found.length) { event.preventDefault(); show(found[0]); }
  });
  open(chooser.value);
}());
