// SPDX-License-Identifier: GPL-3.0-or-later
// What is looked at inside a page: every function gives a list of faults, each a sentence.
"use strict";

window.inspector = (() => {
  const nameOf = element => {
    const id = element.id ? `#${element.id}` : "";
    const text = (element.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40);
    return `<${element.localName}${id}>${text ? ` “${text}”` : ""}`;
  };
  const referenced = (element, attribute) => (element.getAttribute(attribute) ?? "").split(/\s+/).filter(Boolean);
  const spoken = element => {
    const byId = referenced(element, "aria-labelledby").map(id => document.getElementById(id)?.textContent ?? "").join(" ");
    return (byId || element.getAttribute("aria-label") || element.getAttribute("alt") || element.textContent || "").trim();
  };

  function structure() {
    const faults = [];
    const say = (element, fault) => faults.push(`${nameOf(element)} ${fault}`);
    if (!document.documentElement.lang) faults.push("the page states no language");
    if (!document.title.trim()) faults.push("the page has no title");
    for (const landmark of ["main", "header", "nav"]) {
      if (document.querySelectorAll(`body > ${landmark}`).length !== 1) faults.push(`not exactly one <${landmark}>`);
    }
    const headings = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")];
    const levels = headings.map(heading => Number(heading.localName[1]));
    if (levels[0] !== 1 || levels.filter(level => level === 1).length !== 1) faults.push("not exactly one <h1>, or not first");
    levels.forEach((level, index) => {
      if (index > 0 && level > levels[index - 1] + 1) say(headings[index], `follows a heading of level ${levels[index - 1]}`);
    });
    headings.filter(heading => !spoken(heading)).forEach(heading => say(heading, "is an empty heading"));
    const ids = new Set();
    for (const element of document.querySelectorAll("[id]")) {
      if (ids.has(element.id)) say(element, "has an id that another element has");
      ids.add(element.id);
    }
    for (const attribute of ["aria-labelledby", "aria-describedby", "aria-controls", "for"]) {
      for (const element of document.querySelectorAll(`[${attribute}]`)) {
        referenced(element, attribute).filter(id => !ids.has(id)).forEach(id => say(element, `refers to #${id}, which is nowhere`));
      }
    }
    for (const link of document.querySelectorAll("a[href], use")) {
      const to = link.getAttribute("href") ?? "";
      if (to.startsWith("#") ? !ids.has(to.slice(1)) : true) say(link, `leads to ${to}, which is not on the page`);
    }
    for (const image of document.querySelectorAll("img, svg")) {
      if (image.getAttribute("aria-hidden") === "true") continue;
      if (image.localName === "svg" && image.getAttribute("role") !== "img") say(image, "is a picture without the role of one");
      if (!spoken(image)) say(image, "is a picture without a name");
    }
    for (const table of document.querySelectorAll("table")) {
      if (!table.caption?.textContent.trim()) say(table, "is a table without a caption");
      if (!table.querySelector("thead th")) say(table, "is a table whose columns have no headings");
      table.querySelectorAll("th:not([scope])").forEach(cell => say(cell, "is a heading of no stated scope"));
    }
    for (const element of document.querySelectorAll("button, a, summary, [role=region]")) {
      if (!spoken(element)) say(element, "has no name");
    }
    document.querySelectorAll("[tabindex]").forEach(element => { if (element.tabIndex > 0) say(element, "jumps the order of the keyboard"); });
    return faults;
  }

  const channel = share => share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  const luminance = ([red, green, blue]) =>
    0.2126 * channel(red / 255) + 0.7152 * channel(green / 255) + 0.0722 * channel(blue / 255);
  const over = (upper, lower) => [0, 1, 2].map(part => upper[part] * upper[3] + lower[part] * (1 - upper[3])).concat(1);
  function colour(text) {
    const numbers = /^rgba?\(([^)]*)\)$/.exec(text)?.[1].split(/[\s,/]+/).map(Number);
    if (!numbers || numbers.some(Number.isNaN)) return null;
    return [...numbers.slice(0, 3), numbers[3] ?? 1];
  }
  function background(element) {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const layer = colour(getComputedStyle(at).backgroundColor);
      if (layer && layer[3] > 0) layers.push(layer);
      if (layer && layer[3] === 1) break;
    }
    const paper = getComputedStyle(document.documentElement).colorScheme === "dark" ? [0, 0, 0, 1] : [255, 255, 255, 1];
    return layers.reduceRight((lower, upper) => over(upper, lower), paper);
  }
  const isClipped = element => element.closest(".sr") !== null || getComputedStyle(element).clipPath === "inset(50%)";

  /// Every text that is seen: the contrast of its colour with what is behind it. Gives the count and the faults.
  function contrast(least) {
    const faults = [];
    let count = 0;
    const judge = (element, style, text) => {
      const isDrawn = element.namespaceURI === "http://www.w3.org/2000/svg";
      const ink = colour(isDrawn ? style.fill : style.color);
      if (!ink) { faults.push(`${nameOf(element)} has a colour that cannot be read: ${isDrawn ? style.fill : style.color}`); return; }
      const ground = background(element);
      const [first, second] = [luminance(over(ink, ground)), luminance(ground)];
      const ratio = (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
      count += 1;
      if (ratio < least) faults.push(`${nameOf(element)}: “${text.slice(0, 30)}” has a contrast of ${ratio.toFixed(2)}`);
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement, text = walker.currentNode.data.trim();
      if (!text || ["script", "style", "title", "desc"].includes(element.localName)) continue;
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || isClipped(element)) continue;
      judge(element, getComputedStyle(element), text);
    }
    for (const element of document.body.querySelectorAll("*")) {
      for (const part of ["::before", "::after"]) {
        const style = getComputedStyle(element, part);
        if (!["none", "normal", '""'].includes(style.content) && element.checkVisibility() && !isClipped(element)) {
          judge(element, style, style.content);
        }
      }
    }
    return { count, faults };
  }

  /// What reaches beyond the right edge of the screen although nothing lets it scroll.
  function overflow() {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const wide = [...document.body.querySelectorAll("*")].filter(element => {
      if (!element.checkVisibility() || isClipped(element)) return false;
      for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
        if (getComputedStyle(at).overflowX !== "visible") return false;
      }
      return element.getBoundingClientRect().right > width + 1;
    });
    return [`the page is ${document.documentElement.scrollWidth} pixels wide on a screen of ${width}`
      + (wide.length ? `: ${nameOf(wide[wide.length - 1])}` : "")];
  }

  /// What moves although the reader asked for rest.
  function motion() {
    const faults = [];
    const seconds = text => Math.max(...text.split(",").map(part => parseFloat(part) * (part.trim().endsWith("ms") ? 0.001 : 1)));
    for (const element of document.querySelectorAll("*")) {
      const style = getComputedStyle(element);
      if (style.animationName !== "none" && seconds(style.animationDuration) > 0.01) faults.push(`${nameOf(element)} is animated`);
      if (seconds(style.transitionDuration) > 0.01) faults.push(`${nameOf(element)} has a transition`);
      if (style.scrollBehavior === "smooth") faults.push(`${nameOf(element)} scrolls smoothly`);
    }
    return faults;
  }

  /// What paper would show wrongly: closed details, things to press, frames that cut.
  function paper() {
    const faults = [];
    for (const details of document.querySelectorAll("details:not(.long)")) {
      const hidden = [...details.children].slice(1).some(child => child.textContent.trim() && !child.checkVisibility());
      if (hidden && details.checkVisibility()) faults.push(`${nameOf(details)} stays closed`);
    }
    for (const element of document.querySelectorAll("button:not(.cell), nav, .skip")) {
      if (element.checkVisibility()) faults.push(`${nameOf(element)} is of no use on paper`);
    }
    for (const element of document.querySelectorAll("pre, .scroll")) {
      const style = getComputedStyle(element);
      if (element.checkVisibility() && style.overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1) {
        faults.push(`${nameOf(element)} is cut off`);
      }
    }
    return faults;
  }

  /// What has the keyboard: whether it is seen to have it, and where it stands among all that can have it.
  function focus() {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    const style = getComputedStyle(element);
    const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1;
    const box = element.getBoundingClientRect();
    return {
      name: nameOf(element), ring, seen: box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight,
      order: [...document.querySelectorAll("*")].indexOf(element), isCell: element.matches("button.cell"),
    };
  }

  return { structure, contrast, overflow, motion, paper, focus };
})();
