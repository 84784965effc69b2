/* Two kinds of charts: every run behind a range, and a map of words over training.
   A classic script, so that pages work opened from disk. Data: the JSON in each .chart frame. */
(function () {
  "use strict";
  if (window.LEDGER_CHARTS) { return; } // a page with two charts names this script twice
  window.LEDGER_CHARTS = true;
  var SVG = "http://www.w3.org/2000/svg";

  function element(name, parent, text) {
    var made = document.createElement(name);
    if (text !== undefined) { made.textContent = text; }
    parent.appendChild(made);
    return made;
  }

  function shape(name, parent, attributes) {
    var made = document.createElementNS(SVG, name);
    Object.keys(attributes).forEach(function (key) { made.setAttribute(key, attributes[key]); });
    parent.appendChild(made);
    return made;
  }

  function labelled(parent, text, name) {
    var label = element("label", parent, text + " ");
    return element(name, label);
  }

  function drawing(parent, width, height, label) {
    var svg = shape("svg", parent, { viewBox: "0 0 " + width + " " + height, role: "img" });
    svg.setAttribute("aria-label", label);
    return svg;
  }

  function legend(parent, items) {
    var line = element("p", parent);
    line.className = "chart-legend";
    items.forEach(function (item) {
      var entry = element("span", line);
      element("i", entry).style.background = "var(--" + item[1] + ")";
      entry.appendChild(document.createTextNode(item[0]));
    });
  }

  function show(number) { return String(Number(number.toPrecision(6))); }

  function runs(frame, data) {
    var colours = { seed: "vermilion", corpus: "blue" };
    var chooser = labelled(element("p", frame), "Number", "select");
    data.quantities.forEach(function (quantity, place) {
      element("option", chooser, quantity.label).value = place;
    });
    var told = element("p", frame);
    told.setAttribute("role", "status");
    var svg = drawing(frame, 640, 250, frame.dataset.title);
    legend(frame, [["another corpus", "blue"], ["another start", "vermilion"],
      ["default run", "ink"], ["central 95 % of all runs", "grey"]]);

    function draw() {
      var chosen = data.quantities[chooser.value];
      var values = chosen.runs.map(function (run) { return run[2]; }).concat(chosen.default, chosen.range);
      var low = Math.min.apply(null, values), high = Math.max.apply(null, values);
      var reach = high - low || 1;
      var grammars = Array.from(new Set(chosen.runs.map(function (run) { return run[0]; }))).sort();
      function x(value) { return 50 + 570 * (value - low) / reach; }
      while (svg.firstChild) { svg.removeChild(svg.firstChild); }
      shape("rect", svg, { x: x(chosen.range[0]), y: 8, height: 200, class: "chart-range",
        width: x(chosen.range[1]) - x(chosen.range[0]) });
      for (var tick = 0; tick < 5; tick += 1) {
        var at = low + reach * tick / 4;
        shape("line", svg, { x1: x(at), x2: x(at), y1: 208, y2: 214, class: "chart-axis" });
        shape("text", svg, { x: x(at), y: 230, "text-anchor": ["start", "middle", "middle", "middle", "end"][tick] })
          .textContent = Number(at.toPrecision(5));
      }
      shape("line", svg, { x1: 50, x2: 620, y1: 208, y2: 208, class: "chart-axis" });
      grammars.forEach(function (grammar, row) {
        shape("text", svg, { x: 4, y: 38 + 48 * row }).textContent = grammar;
      });
      var seen = {};
      chosen.runs.forEach(function (run) {
        var line = run[0] + run[1];
        seen[line] = (seen[line] || 0) + 1;
        // dots of a line stand at four heights, so that equal ones do not hide each other
        var y = 18 + 48 * grammars.indexOf(run[0]) + (run[1] === "seed" ? 20 : 0) + 4 * (seen[line] % 4);
        var dot = shape("circle", svg, { cx: x(run[2]), cy: y, r: 3.5 });
        dot.style.fill = "var(--" + colours[run[1]] + ")";
        shape("title", dot, {}).textContent = run[0] + ", " + data.varied[run[1]] + ": " + show(run[2]);
      });
      shape("line", svg, { x1: x(chosen.default), x2: x(chosen.default), y1: 4, y2: 208, class: "chart-default" });
      told.textContent = chosen.label + ": " + chosen.runs.length + " runs from "
        + show(Math.min.apply(null, chosen.runs.map(function (run) { return run[2]; }))) + " to "
        + show(Math.max.apply(null, chosen.runs.map(function (run) { return run[2]; })))
        + ", the central 95 % from " + show(chosen.range[0]) + " to " + show(chosen.range[1])
        + "; the default run gives " + show(chosen.default) + "."
        + (chosen.left_out ? " Runs left out because they did not train: " + chosen.left_out + "." : "");
    }
    chooser.addEventListener("change", draw);
    draw();
  }

  function map(frame, data) {
    var slider = labelled(element("p", frame), "Moment of training", "input");
    slider.type = "range";
    slider.min = 0;
    slider.max = data.moments.length - 1;
    slider.step = 1;
    slider.value = 0;
    var told = element("p", frame);
    told.setAttribute("role", "status");
    var svg = drawing(frame, 480, 400, frame.dataset.title);
    svg.setAttribute("class", "chart-map");
    var named = element("p", frame);
    named.className = "chart-named";
    legend(frame, Object.keys(data.colours).map(function (kind) {
      return [kind.replace(/_/g, " "), data.colours[kind]];
    }));
    var dots = data.moments[0].points.map(function (point) {
      var dot = shape("g", svg, {});
      shape("circle", dot, { r: 5 }).style.fill = "var(--" + data.colours[point[1]] + ")";
      shape("text", dot, { x: 8, y: 4 }).textContent = point[0];
      dot.addEventListener("mouseenter", function () { named.textContent = point[0] + ", " + point[1].replace(/_/g, " "); });
      return dot;
    });

    function draw() {
      var moment = data.moments[slider.value];
      moment.points.forEach(function (point, place) {
        dots[place].style.transform = "translate(" + (225 + 195 * point[2]).toFixed(1) + "px,"
          + (200 - 185 * point[3]).toFixed(1) + "px)";
      });
      slider.setAttribute("aria-valuetext", moment.step + " steps");
      told.textContent = "After " + moment.step + " steps. " + moment.told;
    }
    named.textContent = "Point at a dot, or touch it, to read its word.";
    slider.addEventListener("input", draw);
    draw();
  }

  var kinds = { runs: runs, map: map };
  Array.from(document.querySelectorAll(".chart")).forEach(function (frame) {
    var data = JSON.parse(frame.querySelector("script").textContent);
    frame.setAttribute("role", "group");
    frame.setAttribute("aria-label", frame.dataset.title);
    frame.hidden = false;
    kinds[frame.dataset.chart](frame, data);
  });
}());
