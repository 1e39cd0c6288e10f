"use strict";
(() => {
  const PAGE = 50;
  const root = document.documentElement;
  const get = (id) => document.getElementById(id);

  // -- light and dark ------------------------------------------------------------------------
  const theme = get("theme");
  const wanted = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : wanted.matches);
  const nameTheme = () => {
    theme.textContent = isDark() ? "Light" : "Dark";
    theme.setAttribute("aria-label", `${theme.textContent} theme`);
  };
  theme.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try { localStorage.setItem("thalamus-theme", root.dataset.theme); } catch {}
    nameTheme();
  });
  wanted.addEventListener("change", nameTheme);
  theme.hidden = false;
  nameTheme();

  // -- the table of records ------------------------------------------------------------------
  const table = get("table");
  if (!table) return;
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row, place) => ({
    row,
    place,
    kind: row.cells[0].dataset.kind,
    at: row.cells[0].firstElementChild.dateTime,
    recalled: Number(row.cells[3].textContent) || 0,
    text: `${row.cells[2].textContent} ${row.cells[0].textContent}`.toLowerCase(),
  }));
  const number = new Map(rows.map((one) => [one.row.id, one]));
  const form = get("filter");
  const search = get("search");
  const boxes = [...form.querySelectorAll("input[type=checkbox]")];
  const state = { q: "", kinds: null, sort: "at", down: true, page: 0 };
  let shown = rows;

  const heads = new Map();
  for (const head of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.addEventListener("click", () => {
      const key = head.dataset.key;
      state.down = state.sort === key ? !state.down : key === "at" || key === "recalled";
      state.sort = key;
      state.page = 0;
      update();
    });
    head.replaceChildren(button);
    heads.set(head.dataset.key, head);
  }

  const less = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  const select = () => {
    const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
    shown = rows.filter((one) =>
      (!state.kinds || state.kinds.has(one.kind)) && words.every((word) => one.text.includes(word)));
    const { sort, down } = state;
    if (sort === "at" && down) return; // as they stand
    shown = shown.slice().sort((a, b) =>
      (down ? -1 : 1) * less(a[sort], b[sort]) || a.place - b.place);
  };
  const draw = () => {
    const pages = Math.max(1, Math.ceil(shown.length / PAGE));
    state.page = Math.min(Math.max(0, state.page), pages - 1);
    const first = state.page * PAGE;
    const part = shown.slice(first, first + PAGE);
    body.replaceChildren(...part.map((one) => one.row));
    table.classList.add("ready");
    const total = shown.length.toLocaleString("en");
    get("status").textContent = !shown.length ? "Nothing was found."
      : pages === 1 ? `${total} of ${rows.length.toLocaleString("en")} records`
      : `${(first + 1).toLocaleString("en")} to ${(first + part.length).toLocaleString("en")} of ${total} records`;
    get("pages").hidden = pages === 1;
    get("before").disabled = state.page === 0;
    get("after").disabled = state.page === pages - 1;
    for (const [key, head] of heads) {
      if (key === state.sort) head.setAttribute("aria-sort", state.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
  };
  const remember = () => {
    const said = new URLSearchParams();
    if (state.q) said.set("q", state.q);
    if (state.kinds) said.set("kind", [...state.kinds].join(" "));
    if (state.sort !== "at" || !state.down) said.set("sort", (state.down ? "-" : "") + state.sort);
    if (state.page) said.set("page", state.page + 1);
    const text = said.toString();
    try { history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search); } catch {}
  };
  const update = () => { select(); draw(); remember(); };

  const read = (text) => {
    const said = new URLSearchParams(text);
    state.q = said.get("q") || "";
    const kinds = (said.get("kind") || "").split(" ").filter(Boolean);
    state.kinds = kinds.length ? new Set(kinds) : null;
    const sort = said.get("sort") || "-at";
    const key = sort.replace(/^-/, "");
    state.sort = heads.has(key) ? key : "at";
    state.down = sort.startsWith("-");
    state.page = (Number(said.get("page")) || 1) - 1;
    search.value = state.q;
    for (const box of boxes) box.checked = !state.kinds || state.kinds.has(box.value);
  };
  const open = (id) => {
    const one = number.get(id);
    if (!one) return false;
    if (!shown.includes(one)) { read(""); select(); }
    state.page = Math.floor(shown.indexOf(one) / PAGE);
    draw();
    for (const other of body.rows) other.classList.toggle("found", other === one.row);
    const details = one.row.querySelector("details");
    details.open = true;
    one.row.scrollIntoView({ block: "center", behavior: "instant" });
    details.firstElementChild.focus({ preventScroll: true });
    return true;
  };
  const follow = () => {
    let hash = location.hash.slice(1);
    try { hash = decodeURIComponent(hash); } catch {}
    if (hash.startsWith("row-") && open(hash)) return;
    if (/^(q|kind|sort|page)=/.test(location.hash.slice(1))) {
      read(location.hash.slice(1));
      select();
      draw();
      get("records").scrollIntoView({ behavior: "instant" });
    }
  };

  search.addEventListener("input", () => { state.q = search.value.trim(); state.page = 0; update(); });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", () => {
    const on = boxes.filter((box) => box.checked).map((box) => box.value);
    state.kinds = on.length === boxes.length ? null : new Set(on);
    state.page = 0;
    update();
  });
  const turn = (by) => { state.page += by; draw(); remember(); form.scrollIntoView(); };
  get("before").addEventListener("click", () => turn(-1));
  get("after").addEventListener("click", () => turn(1));
  addEventListener("hashchange", follow);
  const graph = document.querySelector("svg.graph");
  if (graph) graph.addEventListener("click", (event) => {
    const name = event.target.dataset && event.target.dataset.name;
    if (name) location.hash = `q=${encodeURIComponent(name)}`;
  });
  addEventListener("beforeprint", () => { body.replaceChildren(...shown.map((one) => one.row)); });
  addEventListener("afterprint", draw);
  form.hidden = false;
  select();
  draw();
  follow();
  // where the browser follows an address by itself, it takes the focus away again
  addEventListener("load", () => setTimeout(follow));
})();
