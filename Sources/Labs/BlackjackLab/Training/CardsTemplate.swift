// SPDX-License-Identifier: GPL-3.0-or-later

/// The page of strategy cards without its data.
enum CardsTemplate {
  static let text = #"""
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Blackjack strategy cards</title>
    <link rel="icon" href="data:,">
    <style>
    *, *::before, *::after { box-sizing: border-box }
    :root { color-scheme: light dark; --ground: #fbfaf6; --ink: #14181d; --quiet: #4a535e; --edge: #7c8794 }
    @media (prefers-color-scheme: dark) {
      :root { --ground: #14181d; --ink: #f2f0ea; --quiet: #b4bdc8; --edge: #8995a3 }
    }
    body {
      margin: 0 auto; padding: 1rem; max-width: 66rem; background: var(--ground); color: var(--ink);
      font: 1rem/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
    }
    h1 { font-size: 1.35rem; line-height: 1.2; margin: 0 0 0.8rem }
    h2 { font-size: 1.15rem; line-height: 1.3; margin: 1rem 0 0.3rem }
    form { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.6rem, 1fr)); gap: 0.5rem 0.8rem }
    label { display: block; font-size: 0.85rem; color: var(--quiet) }
    select, button {
      font: inherit; display: block; width: 100%; min-height: 2.4rem; padding: 0.2rem 0.5rem; color: var(--ink);
      background: var(--ground); border: 1px solid var(--edge); border-radius: 0.4rem;
    }
    button { width: auto; padding: 0.2rem 1rem; cursor: pointer }
    :focus-visible { outline: 0.19rem solid #2f7fd1; outline-offset: 0.13rem }
    #words { margin: 0; color: var(--quiet) }
    #edge { font-size: 1.15rem; margin: 0.3rem 0 0 }
    #change { min-height: 3em; margin: 0.2rem 0 0.6rem; color: var(--quiet) }
    .sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
    .tables { display: grid; gap: 0.6rem 2rem }
    @media (min-width: 56rem) { .tables { grid-template-columns: 1fr 1fr } }
    table { border-collapse: separate; border-spacing: 2px; width: 100%; table-layout: fixed; text-align: center }
    caption { text-align: left; font-weight: 650; padding: 0.3rem 0 0.1rem }
    thead th { background: #2b3440; color: #fff }
    th { font-size: 0.88rem }
    thead th:first-child { width: 3.1rem }
    tbody th { text-align: right; padding-right: 0.3rem; white-space: nowrap }
    td { border-radius: 3px; font-weight: 650; position: relative; padding: 0.06rem 0 }
    td small { font-size: 0.72em }
    .changed { outline: 3px solid var(--ink); outline-offset: -2px; z-index: 1 }
    .changed::after { content: "◆"; position: absolute; top: -0.35em; right: 0.1em; font-size: 0.6em }
    ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0.3rem 1.1rem; margin: 0.9rem 0 }
    .key { display: inline-block; min-width: 2.2rem; text-align: center; border-radius: 3px; font-weight: 650 }
    .note { color: var(--quiet); font-size: 0.9rem; max-width: 44rem }
    #short { display: none }
    /*COLOURS*/
    /* A card of the size of ISO/IEC 7810 ID-1, to cut out. */
    @media print {
      @page { margin: 10mm }
      html, body { background: #fff; color: #000; padding: 0; margin: 0; max-width: none }
      body > *:not(main), form, button, h1, h2, ul, #words, #change, #edge, .note { display: none }
      #card { width: 85.6mm; height: 53.98mm; padding: 1.4mm 2mm; border: 0.2mm dashed #777; overflow: hidden }
      #short { display: block; margin: 0; font-size: 5.4pt; line-height: 2.1mm; font-weight: 650; white-space: nowrap }
      .tables { grid-template-columns: 1fr 1fr; gap: 0 2mm }
      table { border-spacing: 0.15mm }
      caption { font-size: 5pt; line-height: 2mm; padding: 0 }
      th, td { font-size: 4.8pt; line-height: 2.02mm; padding: 0; border-radius: 0.3mm }
      thead th:first-child { width: 4.6mm }
      tbody th { padding-right: 0.5mm }
      td, thead th { print-color-adjust: exact; -webkit-print-color-adjust: exact }
      .changed { outline: none }
      .changed::after { content: none }
    }
    </style>
    </head>
    <body>
    <main>
    <h1>Blackjack strategy cards</h1>
    <form aria-label="Rules">
    <!--CHOICES-->
    </form>
    <h2 id="name">6d</h2>
    <p id="words"></p>
    <p id="edge"></p>
    <p id="change" role="status"></p>
    <div id="card">
    <p id="short"></p>
    <div class="tables"><div><!--HARD--></div><div><!--OTHERS--></div></div>
    </div>
    <ul aria-label="Legend"><!--LEGEND--></ul>
    <p><button type="button" id="print">Print at wallet size</button></p>
    <p class="note">Computed exactly for a fresh shoe, pairs split into up to four hands, by Assay. Every column is a
    card of the dealer. The address of this page names the rules, so that a link leads to this card.</p>
    <noscript><p class="note">The choices need JavaScript; the card is that of six decks, dealer stands on soft 17,
    double after split, no surrender.</p></noscript>
    </main>
    <script type="application/json" id="data">/*DATA*/</script>
    <script>
    "use strict";
    const data = JSON.parse(document.getElementById("data").textContent);
    const element = id => document.getElementById(id);
    const choices = [...data.choices, data.payoff];
    const cells = [...document.querySelectorAll("tbody td")];
    const rows = [...document.querySelectorAll("tbody tr")];
    let last = null;

    // The index of each choice's answer in the controls.
    const chosen = () => choices.map(choice => element(choice.id).selectedIndex);
    // The card for these answers; the last choice changes no card.
    const place = answers =>
      data.choices.reduce((sum, choice, index) => sum * choice.tokens.length + answers[index], 0);
    const percent = (bets, digits) => (bets < 0 ? "−" : "+") + (Math.abs(bets) * 100).toFixed(digits) + "%";

    function value(answers) {
      const index = place(answers);
      return data.ev[index] + (data.pays[answers[answers.length - 1]] - data.pays[0]) * data.paid[index];
    }

    // The name of the rules, without default answers.
    const name = answers => choices
      .map((choice, index) => answers[index] || index === 0 ? choice.tokens[answers[index]] : "")
      .filter(Boolean).join("-");

    function words(answers) {
      return choices.map((choice, index) => {
        const select = element(choice.id);
        return `${select.parentElement.firstChild.data.trim().toLowerCase()}: ${select.options[answers[index]].text}`;
      }).join(", ");
    }

    function show() {
      const answers = chosen(), card = data.cells[place(answers)], ev = value(answers);
      const before = last && data.cells[place(last)];
      let changed = 0;
      cells.forEach((cell, index) => {
        const [symbol, meaning, action] = data.symbols[card[index]];
        const small = document.createElement("small");
        small.textContent = symbol.slice(1);
        cell.className = action;
        cell.replaceChildren(symbol[0], small);
        if (before && before[index] !== card[index]) {
          const was = document.createElement("span");
          was.className = "sr";
          was.textContent = `, was ${data.symbols[before[index]][1]}`;
          cell.classList.add("changed");
          cell.title = `was ${data.symbols[before[index]][1]}, now ${meaning}`;
          cell.append(was);
          changed++;
        } else {
          cell.removeAttribute("title");
        }
      });
      element("name").textContent = name(answers);
      element("words").textContent = words(answers);
      element("short").textContent = `${name(answers)}   house edge ${percent(-ev, 3)}`;
      element("edge").textContent = `House edge: ${percent(-ev, 4)} of the bet`;
      if (last) {
        const difference = value(last) - ev, by = percent(Math.abs(difference), 4).slice(1);
        const differ = changed === 1 ? "1 cell differs" : `${changed} cells differ`;
        const edge = difference > 0 ? `higher by ${by} (worse for the player)`
          : difference < 0 ? `lower by ${by} (better for the player)` : "the same";
        element("change").textContent = `Against ${name(last)}: ${differ}, the house edge is ${edge}.`;
      }
      document.title = `${name(answers)}: blackjack strategy card`;
      last = answers;
    }

    // Reads a link such as #8d-h17-das-ls; omitted tokens are the defaults.
    function follow() {
      const tokens = location.hash.slice(1).toLowerCase().split("-").filter(Boolean);
      if (tokens.length === 0) return false;
      const unknown = tokens.filter(token => !choices.some(choice => choice.tokens.includes(token)));
      for (const choice of choices) {
        const said = choice.tokens.findIndex(token => token && tokens.includes(token));
        element(choice.id).selectedIndex = Math.max(0, said);
      }
      show();
      if (unknown.length) {
        const named = unknown.map(token => `'${token}'`).join(", ");
        element("change").textContent = `The link says ${named}, which no card here has; the rest of it is shown.`;
      }
      return true;
    }

    document.querySelector("form").addEventListener("change", () => {
      show();
      history.replaceState(null, "", "#" + name(chosen()));
    });
    document.querySelector("form").addEventListener("submit", event => event.preventDefault());
    addEventListener("hashchange", follow);
    element("print").addEventListener("click", () => window["print"]());
    if (!follow()) show();
    </script>
    </body>
    </html>
    """#
}
