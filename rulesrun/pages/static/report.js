"use strict";
const keyOf = cell => "key" in cell.dataset ? Number(cell.dataset.key) : null;
const inWords = (one, other) => one.textContent.localeCompare(other.textContent, "en", {numeric: true});
const compare = (one, other) => {
  const left = keyOf(one), right = keyOf(other);
  if (left === null) return right === null ? inWords(one, other) : 1;
  return right === null ? -1 : left - right;
};
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = Array.from(table.tHead.rows[0].cells), body = table.tBodies[0];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const turn = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", turn === 1 ? "ascending" : "descending");
      const rows = Array.from(body.rows);
      rows.sort((one, other) => turn * compare(one.cells[column], other.cells[column]));
      body.append(...rows);
    });
  });
}
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach(one => one.open = true));
