"use strict";

// Everything below adds to a page that is whole without it. Texts are set as text and tables are cloned, so nothing
// from the data is ever read as HTML.

for (const element of document.querySelectorAll("[data-script]")) element.hidden = false;

function announce(text) {
  document.getElementById("announcement").textContent = text;
}

function listenToTheme() {
  const button = document.getElementById("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const key = "assay-mode";
  const remembered = () => { try { return localStorage.getItem(key); } catch { return null; } };
  // Some browsers keep nothing for files.
  const remember = mode => { try { localStorage.setItem(key, mode); } catch { } };
  const mode = () => document.documentElement.dataset.mode ?? (system.matches ? "dark" : "light");
  const label = () => { button.textContent = mode() === "dark" ? "Light colours" : "Dark colours"; };
  const before = remembered();
  if (before === "dark" || before === "light") document.documentElement.dataset.mode = before;
  button.addEventListener("click", () => {
    document.documentElement.dataset.mode = mode() === "dark" ? "light" : "dark";
    remember(mode());
    label();
  });
  system.addEventListener("change", label);
  label();
}

function listenToCopying() {
  for (const button of document.querySelectorAll("button.copy")) {
    const code = button.closest(".code").querySelector("code");
    button.addEventListener("click", async () => {
      let done = false;
      try {
        await navigator.clipboard.writeText(code.textContent);
        done = true;
      } catch {
        getSelection().selectAllChildren(code);
        done = document.execCommand("copy");
      }
      announce(done ? "Copied." : "The text is selected; copy it with the keyboard.");
      const word = button.firstChild;
      word.data = done ? "Copied" : "Selected";
      setTimeout(() => { word.data = "Copy"; }, 1600);
    });
  }
}

// A frame takes the keyboard, and is a place of its own, only while there is something to scroll in it.
function watchFrames() {
  const frames = new Map([...document.querySelectorAll("[role=group][tabindex]")]
    .map(frame => [frame, frame.getAttribute("aria-label")]));
  const look = frame => {
    const scrolls = frame.scrollWidth > frame.clientWidth + 1 || frame.scrollHeight > frame.clientHeight + 1;
    const own = { tabindex: "0", role: "group", "aria-label": frames.get(frame) };
    frame.classList.toggle("wide", frame.scrollWidth > frame.clientWidth + 1);
    for (const [name, value] of Object.entries(own)) {
      if (scrolls) frame.setAttribute(name, value); else frame.removeAttribute(name);
    }
  };
  const observer = new ResizeObserver(entries => entries.forEach(entry => look(entry.target)));
  frames.forEach((_, frame) => observer.observe(frame));
}

function listenToGrid(grid) {
  const cells = [...grid.querySelectorAll("button.cell")];
  const rows = [...grid.querySelectorAll(".cells tr")]
    .map(row => [...row.querySelectorAll("button.cell")]).filter(row => row.length > 0);
  const tables = [...grid.querySelectorAll(".all .tables > table")];
  if (cells.length === 0) return;
  const panel = document.createElement("div");
  const close = document.createElement("button");
  let current = null, pinned = false, timer = 0;

  panel.id = grid.dataset.panel;
  panel.className = "panel";
  panel.tabIndex = -1;
  panel.hidden = true;
  panel.setAttribute("role", "region");
  close.type = "button";
  close.className = "close";
  close.textContent = "Close";
  panel.setAttribute("aria-label", "The numbers of a cell");
  grid.querySelector(".groups").after(panel);
  cells.forEach((cell, index) => {
    cell.tabIndex = index === 0 ? 0 : -1;
    cell.setAttribute("aria-expanded", "false");
    cell.setAttribute("aria-controls", panel.id);
  });

  function place(cell) {
    panel.style.left = panel.style.top = "";
    if (getComputedStyle(panel).position === "fixed") {
      cell.scrollIntoView({ block: "nearest", inline: "nearest" });
      return;
    }
    const [frame, box, own] = [grid, cell, panel].map(element => element.getBoundingClientRect());
    const left = box.left - frame.left + box.width / 2 - own.width / 2;
    const isAbove = box.bottom + own.height + 8 > innerHeight && box.top - own.height - 8 > 0;
    panel.style.left = `${Math.max(0, Math.min(left, frame.width - own.width))}px`;
    panel.style.top = `${isAbove ? box.top - frame.top - own.height - 7 : box.bottom - frame.top + 7}px`;
  }

  function show(cell, pins) {
    clearTimeout(timer);
    current?.setAttribute("aria-expanded", "false");
    const isNew = cell !== current;
    current = cell;
    pinned = pins;
    cell.setAttribute("aria-expanded", "true");
    panel.setAttribute("aria-label", cell.getAttribute("aria-label"));
    if (isNew || panel.hidden) panel.replaceChildren(close, tables[cells.indexOf(cell)].cloneNode(true));
    panel.hidden = false;
    place(cell);
  }

  function hide() {
    clearTimeout(timer);
    if (panel.contains(document.activeElement)) current.focus();
    current?.setAttribute("aria-expanded", "false");
    current = null;
    pinned = false;
    panel.hidden = true;
  }

  function go(cell) {
    cells.forEach(other => { other.tabIndex = other === cell ? 0 : -1; });
    cell.focus();
  }

  function target(event, cell) {
    const row = rows.findIndex(row => row.includes(cell)), column = rows[row].indexOf(cell);
    const at = (row, column) => {
      const cells = rows[Math.max(0, Math.min(row, rows.length - 1))];
      return cells[Math.max(0, Math.min(column, cells.length - 1))];
    };
    const far = event.ctrlKey || event.metaKey;
    switch (event.key) {
      case "ArrowRight": return at(row, column + 1);
      case "ArrowLeft": return at(row, column - 1);
      case "ArrowDown": return at(row + 1, column);
      case "ArrowUp": return at(row - 1, column);
      case "Home": return at(far ? 0 : row, 0);
      case "End": return at(far ? rows.length : row, Infinity);
      default: return null;
    }
  }

  grid.addEventListener("keydown", event => {
    const cell = event.target.closest("button.cell");
    if (event.key === "Escape" && !panel.hidden) {
      event.preventDefault();
      event.stopPropagation();
      hide();
    } else if (cell && target(event, cell)) {
      event.preventDefault();
      go(target(event, cell));
    }
  });
  grid.addEventListener("focusin", event => {
    const cell = event.target.closest("button.cell");
    if (cell && cell.matches(":focus-visible")) show(cell, false);
  });
  grid.addEventListener("focusout", event => {
    const to = event.relatedTarget;
    if (!pinned && to && !panel.contains(to) && !to.matches("button.cell")) hide();
  });
  grid.addEventListener("click", event => {
    const cell = event.target.closest("button.cell");
    if (event.target === close) return hide();
    if (!cell) return;
    if (pinned && cell === current) return hide();
    cells.forEach(other => { other.tabIndex = other === cell ? 0 : -1; });
    show(cell, true);
    // A click without a pointer comes from Enter or the space bar: the text is to be read out.
    if (event.detail === 0) panel.focus({ preventScroll: true });
  });
  grid.addEventListener("pointerover", event => {
    if (event.pointerType !== "mouse" || pinned) return;
    const cell = event.target.closest("button.cell");
    clearTimeout(timer);
    // On its way into the panel the pointer may brush other cells.
    if (cell && cell !== current) timer = setTimeout(() => show(cell, false), panel.hidden ? 40 : 110);
  });
  grid.addEventListener("pointerleave", event => {
    clearTimeout(timer);
    const isHeld = pinned || grid.contains(document.activeElement);
    if (event.pointerType === "mouse" && !isHeld) timer = setTimeout(hide, 250);
  });
  document.addEventListener("pointerdown", event => {
    if (!panel.hidden && !grid.contains(event.target)) hide();
  });
  document.addEventListener("keydown", event => {
    if (event.key === "Escape" && !panel.hidden) { event.preventDefault(); hide(); }
  });
  addEventListener("resize", () => { if (!panel.hidden) place(current); });
}

// The values of a figure where it is pointed at, touched, or gone through with the arrow keys: rows of its data.
function listenToPicture(figure) {
  const svg = figure.querySelector(".picture > svg"), picture = svg.parentElement;
  const kind = svg.dataset.kind.split(" "), along = kind.includes("turned") ? 1 : 0;
  const isMap = kind.includes("map"), first = kind.includes("named") ? 1 : 0;
  const texts = row => [...row.children].map(cell => cell.textContent.trim());
  const titles = texts(figure.querySelector("thead tr"));
  const rows = [...figure.querySelectorAll("tbody tr")];
  const groups = [...svg.querySelectorAll("[data-points]")]
    .map(group => group.dataset.points.split(" ").map(text => text.split(",").map(Number)));
  const places = isMap ? groups.flat()
    : [...new Set(groups.flat().map(point => point[along]))].sort((one, other) => one - other);
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  const guide = document.createElementNS("http://www.w3.org/2000/svg", "g");
  const panel = document.createElement("div");
  let current = -1;
  if (places.length === 0) return;

  const distance = (point, x, y) => isMap ? Math.hypot(point[0] - x, point[1] - y)
    : Math.abs((Array.isArray(point) ? point[along] : point) - (along ? y : x));
  const nearest = (points, x, y) => points.reduce((best, point, index) =>
    distance(point, x, y) < distance(points[best], x, y) ? index : best, 0);
  const shape = (name, attributes) => {
    const element = document.createElementNS(guide.namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };

  guide.setAttribute("class", "guide");
  panel.className = "values";
  panel.hidden = true;
  panel.setAttribute("aria-hidden", "true");
  svg.append(guide);
  picture.append(panel);
  picture.tabIndex = 0;
  picture.setAttribute("role", "group");
  picture.setAttribute("aria-label", `${svg.getAttribute("aria-label")}: arrow keys read its values`);

  function show(index) {
    if (index === current) return;
    current = index;
    const place = places[index];
    const found = isMap ? [place] : groups.map(group => group[nearest(group, place, place)])
      .filter(point => distance(point, place, place) < 7);
    const unique = [...new Map(found.map(point => [point[2], texts(rows[point[2]])])).values()];
    const lines = [`${titles[first]}: ${unique[0][first]}`, ...unique.flatMap(cells => {
      const range = cells.slice(first + 2).filter(Boolean);
      if (isMap) return cells.slice(1).map((cell, column) => `${titles[column + 1]}: ${cell}`);
      const name = first && cells[0] !== "–" ? cells[0] : titles[first + 1];
      return [`${name}: ${cells[first + 1]}` + (range.length ? ` (${range.join(" to ")})` : "")];
    })];
    const line = along ? { x1: 0, x2: width, y1: place, y2: place } : { x1: place, x2: place, y1: 0, y2: height };
    guide.replaceChildren(...(isMap ? [] : [shape("line", line)]),
      ...found.map(([x, y]) => shape("circle", { cx: x, cy: y, r: 6 })));
    panel.replaceChildren(...lines.map(text => {
      const line = document.createElement("div");
      line.textContent = text;
      return line;
    }));
    panel.hidden = false;
    const side = found[0][0] / width;
    panel.style.left = side < 0.5 ? `${side * 100 + 5}%` : "auto";
    panel.style.right = side < 0.5 ? "auto" : `${105 - side * 100}%`;
    return lines.join("; ");
  }

  function hide() {
    current = -1;
    guide.replaceChildren();
    panel.hidden = true;
  }

  function point(event) {
    const box = svg.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width * width;
    const y = (event.clientY - box.top) / box.height * height;
    show(nearest(places, x, y));
  }

  // The nearest cell of a heat map in a direction, or the next place.
  function next(key) {
    const [dx, dy] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key] ?? [0, 0];
    if (key === "Home" || current < 0 && dx + dy !== 0) return 0;
    if (key === "End") return places.length - 1;
    if (dx + dy === 0) return null;
    if (!isMap) return Math.max(0, Math.min(places.length - 1, current + dx + dy));
    const [x, y] = places[current];
    const ahead = places.map((_, index) => index)
      .filter(index => (places[index][0] - x) * dx + (places[index][1] - y) * dy > 1);
    return ahead.reduce((best, index) =>
      best < 0 || distance(places[index], x, y) < distance(places[best], x, y) ? index : best, -1);
  }

  svg.addEventListener("pointermove", point);
  svg.addEventListener("pointerdown", point);
  svg.addEventListener("pointerleave", event => { if (event.pointerType === "mouse") hide(); });
  picture.addEventListener("focusout", hide);
  document.addEventListener("pointerdown", event => { if (!picture.contains(event.target)) hide(); });
  picture.addEventListener("keydown", event => {
    if (event.key === "Escape" && current >= 0) {
      event.preventDefault();
      return hide();
    }
    const index = next(event.key);
    if (index === null) return;
    event.preventDefault();
    if (index >= 0) announce(show(index) ?? "");
  });
}

function listenToDetails() {
  document.addEventListener("keydown", event => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    const details = event.target.closest?.("details[open]");
    if (!details) return;
    details.open = false;
    details.querySelector("summary").focus();
  });
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open]):not(.long)")];
    opened.forEach(details => { details.open = true; });
  });
  addEventListener("afterprint", () => opened.forEach(details => { details.open = false; }));
}

function followContents() {
  const links = new Map([...document.querySelectorAll("nav a")].map(link => [link.hash.slice(1), link]));
  const sections = [...links.keys()].map(id => document.getElementById(id));
  const mark = () => {
    const passed = sections.filter(section => section.getBoundingClientRect().top < innerHeight / 3);
    const now = passed.at(-1) ?? sections[0];
    links.forEach((link, id) => {
      if (id === now.id) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current");
    });
  };
  addEventListener("scroll", mark, { passive: true });
  mark();
}

listenToTheme();
listenToCopying();
watchFrames();
document.querySelectorAll(".grid").forEach(listenToGrid);
document.querySelectorAll(".figure:has(svg)").forEach(listenToPicture);
listenToDetails();
if (document.querySelector("nav a")) followContents();
