"""The script and the style of the run list. The page works without the script; then the list is not filtered."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from typing import Final

SCRIPT: Final = """
(function () {
  "use strict";
  var form = document.getElementById("filters");
  if (!form) return;
  var rows = Array.prototype.slice.call(document.querySelectorAll("#run-list tbody tr"));
  var count = document.getElementById("run-count");
  var selects = Array.prototype.slice.call(form.querySelectorAll("select"));
  var search = document.getElementById("filter-title");
  function update() {
    var words = search.value.toLowerCase();
    var shown = 0;
    rows.forEach(function (row) {
      var fits = selects.every(function (select) {
        if (!select.value) return true;
        var value = row.getAttribute("data-" + select.name) || "";
        return select.name === "flag" ? value.split("|").indexOf(select.value) >= 0 : value === select.value;
      });
      fits = fits && row.getAttribute("data-text").toLowerCase().indexOf(words) >= 0;
      row.hidden = !fits;
      if (fits) shown += 1;
    });
    count.textContent = shown + " of " + rows.length + " rows";
  }
  function reset() {
    selects.forEach(function (select) { select.value = ""; });
    search.value = "";
  }
  function open(id) {
    var target = id && document.getElementById(id);
    for (var each = target; each; each = each.parentElement) {
      if (each.tagName === "DETAILS") each.open = true;
    }
    if (target) target.scrollIntoView();
  }
  form.hidden = false;
  form.addEventListener("input", update);
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  document.getElementById("filter-reset").addEventListener("click", function () { reset(); update(); });
  document.addEventListener("click", function (event) {
    var link = event.target.closest ? event.target.closest("a") : null;
    if (!link) return;
    if (link.hasAttribute("data-name")) {
      var select = form.elements[link.getAttribute("data-name")];
      reset();
      if (select) select.value = link.getAttribute("data-value");
      update();
    }
    open(link.getAttribute("href").slice(1));
  });
  window.addEventListener("hashchange", function () { open(location.hash.slice(1)); });
  update();
  open(location.hash.slice(1));
})();
"""
SCRIPT_HASH: Final = f"'sha256-{b64encode(sha256(SCRIPT.encode()).digest()).decode()}'"
"""The only script that the policy of the page lets run."""

STYLE: Final = """
:root { --good: #1f6e3a; --bad: #b3261e; --open: #7a5b00; --bar: #0b4f9e; }
@media screen and (prefers-color-scheme: dark) { :root { --good: #7fd69b; --bad: #ff8a80; --open: #e3c15a; --bar: #7db4ff; } }
a { color: inherit; } a:focus-visible, summary:focus-visible, select:focus-visible, input:focus-visible,
button:focus-visible { outline: 3px solid var(--bar); outline-offset: 2px; }
.filters { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: end; margin: .75rem 0; }
.filters[hidden] { display: none; }
.filters label { display: flex; flex-direction: column; font-size: .85rem; color: var(--quiet); }
.filters select, .filters input, .filters button { font: inherit; color: var(--ink); background: var(--band);
  border: 1px solid var(--rule); border-radius: 4px; padding: .3rem .45rem; max-width: 16rem; min-height: 2.2rem; }
.passed, .failed, .review, .unscored { font-weight: 600; white-space: nowrap; }
.passed { color: var(--good); } .failed { color: var(--bad); } .review, .unscored { color: var(--open); }
details { margin: .5rem 0; } summary { cursor: pointer; padding: .15rem 0; }
.scenario { border: 1px solid var(--rule); border-radius: 6px; padding: .3rem .8rem; content-visibility: auto; contain-intrinsic-size: auto 2.6rem; }
.scenario > summary { font-weight: 600; } .scenario h3 { font-size: 1.1rem; margin: .75rem 0 .25rem; }
.scenario h4 { font-size: 1rem; margin: 1.25rem 0 .25rem; } .scenario h5 { font-size: .95rem; margin: 1rem 0 .25rem; }
.key { color: var(--quiet); font-size: .9rem; margin: 0 0 .5rem; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 1rem 2rem; }
.answer { border-top: 2px solid var(--rule); padding-top: .5rem; margin-top: .75rem; min-width: 0; }
#run-list td { overflow-wrap: break-word; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--band); padding: .6rem .75rem; margin: .4rem 0;
  font: .85rem/1.45 ui-monospace, "DejaVu Sans Mono", monospace; max-height: 30rem; overflow-y: auto; border-radius: 4px; }
ol.steps { padding-left: 1.6rem; margin: .4rem 0; } ol.steps li { margin: .3rem 0; }
.small { font-size: .88rem; color: var(--quiet); } ul.small { padding-left: 1.1rem; margin: .1rem 0; }
.stop { border-left: 3px solid var(--bad); padding-left: .6rem; }
.strip svg { max-width: 30rem; width: 100%; } .bar { fill: var(--bar); } .bar.added { fill-opacity: .45; }
.deadline, .blocked { stroke: var(--bad); } .credits td:first-child { font-weight: 600; }
@media (max-width: 40rem) { body { padding: 1rem .75rem 3rem; } .scenario { padding: .3rem .5rem; }
  #run-list thead { position: absolute; clip-path: inset(50%); } #run-list tr { display: block; padding: .4rem 0; border-bottom: 1px solid var(--rule); }
  #run-list tr[hidden] { display: none; } #run-list td { display: inline; border: 0; padding: 0 .5rem 0 0; white-space: nowrap; text-align: left; }
  #run-list td.title { display: block; white-space: normal; } }
.answer { container-type: inline-size; } .wide { position: relative; }
@container (max-width: 38rem) { .credits thead { position: absolute; clip-path: inset(50%); }
  .credits tr { display: block; padding: .35rem 0; } .credits td { display: inline; border: 0; } .credits td:last-child { display: block; } }
@media print { .filters { display: none; } pre { max-height: none; } }
"""
