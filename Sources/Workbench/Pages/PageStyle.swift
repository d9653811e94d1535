// SPDX-License-Identifier: GPL-3.0-or-later

/// The style of every page; it names the palette's properties and no colours.
enum PageStyle {
  static let text = #"""
    *, *::before, *::after { box-sizing: border-box }

    html {
      -webkit-text-size-adjust: 100%;
      text-size-adjust: 100%;
      scroll-padding: 1rem;
    }

    body {
      margin: 0 auto;
      padding: 0 clamp(1rem, 4vw, 2.5rem) 3rem;
      max-width: 87rem;
      background: var(--ground);
      color: var(--ink);
      font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
      overflow-wrap: anywhere;
    }

    h1, h2, h3, h4, h5, h6 { line-height: 1.25; text-wrap: balance }
    h1 {
      margin: 0.2rem 0 1.1rem;
      font-size: clamp(1.6rem, 1.2rem + 1.9vw, 2.35rem);
      font-weight: 680;
      letter-spacing: -0.018em;
    }
    h2 { margin: 0 0 1rem; font-size: 1.35rem; font-weight: 660; letter-spacing: -0.01em }
    h3 { margin: 2.2rem 0 0.7rem; font-size: 1.1rem; font-weight: 650 }
    h4, h5, h6 { margin: 1.6rem 0 0.6rem; font-size: 1rem; font-weight: 650 }
    p { margin: 0 0 1rem; max-width: 44rem }
    a { color: var(--link); text-underline-offset: 0.18em; text-decoration-thickness: 0.07em }
    code, pre {
      font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
      font-size: 0.9em;
    }
    code { unicode-bidi: isolate }

    :focus-visible { outline: 0.19rem solid var(--focus); outline-offset: 0.13rem; border-radius: 0.2rem }
    main:focus { outline: none }

    button {
      font: inherit;
      font-size: 0.86rem;
      line-height: 1.3;
      padding: 0.3rem 0.75rem;
      min-height: 1.9rem;
      border: 1px solid var(--edge);
      border-radius: 0.4rem;
      background: var(--surface);
      color: var(--ink);
      cursor: pointer;
    }
    button:not(.cell):hover { background: var(--raised) }

    .sr {
      position: absolute;
      width: 1px;
      height: 1px;
      margin: -1px;
      overflow: hidden;
      clip-path: inset(50%);
      white-space: nowrap;
    }
    .skip {
      position: absolute;
      left: 1rem;
      top: -6rem;
      z-index: 9;
      padding: 0.6rem 1rem;
      border-radius: 0 0 0.5rem 0.5rem;
      background: var(--surface);
      color: var(--link);
    }
    .skip:focus { top: 0 }

    /* Signs: their shapes differ, so that they are distinguished without their colours. */
    .signs { position: absolute }
    .sign { width: 1.1em; height: 1.1em; flex: none; vertical-align: -0.19em }
    .sign, .signs {
      fill: none;
      stroke: currentColor;
      stroke-width: 1.9;
      stroke-linecap: round;
      stroke-linejoin: round;
    }
    .holds { color: var(--holds) }
    .fails { color: var(--fails) }
    .undecided, .incomplete { color: var(--undecided) }
    .badge { font-size: 1rem; font-weight: 650; white-space: nowrap; letter-spacing: 0 }
    h3 .badge, h4 .badge, h5 .badge, h6 .badge { margin-left: 0.5rem; font-size: 0.92em }

    .top { padding-top: 1.4rem }
    .over {
      display: flex;
      justify-content: space-between;
      align-items: center;
      max-width: none;
      min-height: 1.9rem;
      margin: 0;
      color: var(--quiet);
      font-size: 0.9rem;
    }
    .verdict {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 0.15rem 0.7rem;
      max-width: none;
      margin: 0 0 0.9rem;
      padding: 0.8rem 1.1rem;
      border-radius: 0.6rem;
      border-left: 0.4rem solid currentColor;
      background: var(--undecided-ground);
    }
    .verdict.holds { background: var(--holds-ground) }
    .verdict.fails { background: var(--fails-ground) }
    .verdict .sign { width: 1.75rem; height: 1.75rem }
    .verdict strong { font-size: 1.45rem; font-weight: 720; line-height: 1.2; letter-spacing: -0.01em }
    .verdict strong::first-letter { text-transform: uppercase }
    .verdict > span { color: var(--ink) }
    .notice {
      max-width: none;
      padding: 0.7rem 1.1rem;
      border: 1px solid var(--rule);
      border-left: 0.4rem solid var(--undecided);
      border-radius: 0.6rem;
      background: var(--surface);
    }

    nav { margin: 0.6rem 0 0; font-size: 0.94rem }
    nav ul { display: flex; flex-wrap: wrap; gap: 0 1.3rem; margin: 0; padding: 0; list-style: none }
    nav a { display: inline-block; padding: 0.25rem 0 }
    nav a:hover { text-decoration-thickness: 0.13em }

    main { min-width: 0 }
    section { padding-top: 2.2rem; margin-top: 1.6rem; border-top: 1px solid var(--rule) }
    main > section:first-child { border-top: 0; margin-top: 0; padding-top: 1.6rem }
    .points { margin: 0 0 1rem; padding-left: 1.3rem; max-width: 44rem }
    .points li { margin: 0.25rem 0 }
    .part + .part { margin-top: 0.5rem }
    .risk { color: var(--quiet); font-size: 0.94rem }

    /* What is wider than the screen moves inside a frame of its own. */
    .scroll { overflow-x: auto; margin: 0 0 1.3rem; max-width: 100% }
    .scroll.wide { border-right: 0.16rem dashed var(--edge) }
    .scroll.wide::before {
      content: "Scroll sideways for more";
      position: sticky;
      left: 0;
      display: block;
      width: fit-content;
      padding-bottom: 0.2rem;
      color: var(--quiet);
      font-size: 0.86rem;
    }
    table {
      border-collapse: collapse;
      font-size: 0.93rem;
      font-variant-numeric: tabular-nums;
      overflow-wrap: normal;
    }
    caption { padding: 0 0 0.5rem; text-align: left; color: var(--quiet) }
    caption span { position: sticky; left: 0; display: inline-block; max-width: min(44rem, calc(100vw - 2.2rem)) }
    th, td { padding: 0.36rem 0.85rem; text-align: left; vertical-align: top; unicode-bidi: isolate }
    thead th { background: var(--raised); font-weight: 620; vertical-align: bottom }
    tbody th { font-weight: 500 }
    tbody tr { border-bottom: 1px solid var(--rule) }
    .scroll > table:not(.cells) > tbody { background: var(--surface) }
    .n { text-align: right; white-space: nowrap }
    thead .n { white-space: normal }
    /* A short text stays in its line; a long one has room for some words in each. */
    .scroll > table:not([class]) > tbody > tr > * { white-space: nowrap }
    .scroll > table:not([class]) > tbody > tr > .t { min-width: 9rem; white-space: normal }
    .c { text-align: center }

    .thresholds { width: 100% }
    .thresholds tbody th { min-width: 15rem }
    .thresholds tbody td { min-width: 6.5rem }
    .thresholds code { font-size: 0.95em; overflow-wrap: anywhere }
    .thresholds .line { color: var(--quiet); font-size: 0.88em; white-space: nowrap }

    .figure { margin: 1.4rem 0 1.8rem }
    figcaption { margin-bottom: 0.6rem; font-weight: 650 }
    .picture {
      position: relative;
      width: 100%;
      max-width: 34rem;
      margin-bottom: 0.6rem;
      padding: 0.6rem;
      border: 1px solid var(--rule);
      border-radius: 0.6rem;
      background: var(--surface);
    }
    .picture svg { display: block; width: 100%; height: auto; touch-action: pan-y; cursor: crosshair }
    .guide line { stroke: var(--edge); stroke-width: 1 }
    .guide circle { stroke: var(--ink); stroke-width: 1.6 }
    .guide line, .guide circle { pointer-events: none }
    .values {
      position: absolute;
      top: 2.6rem;
      z-index: 3;
      max-width: 62%;
      padding: 0.3rem 0.6rem;
      border: 1px solid var(--edge);
      border-radius: 0.4rem;
      background: var(--surface);
      font-size: 0.86rem;
      line-height: 1.4;
      pointer-events: none;
    }
    .values div:first-child { font-weight: 620 }
    .alternative { color: var(--quiet); font-size: 0.94rem; margin-bottom: 0.6rem }

    /* Small figures side by side, on the page of all runs. */
    .overview .part {
      display: grid;
      grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr));
      gap: 0 1.6rem;
    }
    .overview .part > :not(figure) { grid-column: 1 / -1 }

    details { margin: 0 0 1.1rem }
    summary { width: fit-content; max-width: 100%; padding: 0.2rem 0; color: var(--link); cursor: pointer }
    summary:hover { text-decoration: underline; text-underline-offset: 0.18em }
    details > .inside, details > .scroll, details > .tables {
      margin: 0.5rem 0 0;
      padding-left: 0.9rem;
      border-left: 0.16rem solid var(--rule);
    }

    .code { margin: 0 0 1.3rem }
    .label {
      display: flex;
      flex-wrap: wrap;
      justify-content: space-between;
      align-items: center;
      gap: 0.3rem 1rem;
      max-width: none;
      margin: 0 0 0.4rem;
      color: var(--quiet);
      font-size: 0.93rem;
    }
    pre {
      margin: 0;
      padding: 0.8rem 1rem;
      overflow-x: auto;
      overflow-wrap: normal;
      line-height: 1.5;
      border: 1px solid var(--rule);
      border-radius: 0.6rem;
      background: var(--surface);
    }
    pre.wraps { white-space: pre-wrap; overflow-wrap: anywhere }

    .facts {
      display: grid;
      grid-template-columns: repeat(auto-fill, minmax(min(100%, 25rem), 1fr));
      gap: 0 2.5rem;
      margin: 0;
    }
    .facts div { display: flex; gap: 1rem; padding: 0.4rem 0; border-bottom: 1px solid var(--rule) }
    dt { flex: 0 0 8.5rem; color: var(--quiet) }
    dd { margin: 0; min-width: 0; font-variant-numeric: tabular-nums; unicode-bidi: isolate }

    footer {
      margin-top: 2.5rem;
      padding-top: 1rem;
      border-top: 1px solid var(--rule);
      color: var(--quiet);
      font-size: 0.9rem;
    }
    footer p { max-width: none; margin: 0 }

    /* A grid of cells that tell more when asked. */
    .grid { position: relative; margin: 1.2rem 0 1.8rem }
    .grid-caption { margin-bottom: 0.3rem }
    .hint { color: var(--quiet); font-size: 0.94rem }
    .groups { display: flex; flex-wrap: wrap; gap: 0.4rem 2.4rem; align-items: flex-start }
    .groups .scroll { margin-bottom: 0.8rem; padding: 0.25rem }
    .cells { border-collapse: separate; border-spacing: 2px }
    .cells caption { padding: 0 0 0.3rem 0.2rem; color: var(--ink); font-weight: 650; font-size: 1rem }
    .cells th, .cells td { padding: 0 }
    .cells thead th { padding: 0.12rem 0.2rem; text-align: center; font-size: 0.86rem }
    .cells thead th[colspan] { background: none; color: var(--quiet); font-weight: 450; font-size: 0.84rem }
    .cells tbody th {
      padding: 0 0.5rem 0 0.2rem;
      text-align: right;
      vertical-align: middle;
      font-weight: 600;
      font-size: 0.88rem;
      max-width: 15rem;
      overflow-wrap: break-word;
    }
    .cells tbody tr { border: 0 }
    .cell {
      position: relative;
      display: block;
      width: 100%;
      min-width: 2.5rem;
      min-height: 1.85rem;
      padding: 0.1rem 0.3rem;
      border: 0;
      border-radius: 0.28rem;
      font-weight: 650;
      font-size: 0.9rem;
      scroll-margin: 4rem 3.5rem;
      -webkit-print-color-adjust: exact;
      print-color-adjust: exact;
    }
    .cell span::before { content: attr(data-seen) }
    .cell i { position: absolute; top: -0.05rem; right: 0.22rem; font-size: 0.78em; font-style: normal }
    .cell:hover, .cell[aria-expanded="true"] { outline: 0.16rem solid var(--ink); outline-offset: 0.06rem }
    .cell:focus-visible { outline: 0.19rem solid var(--focus); outline-offset: 0.06rem; z-index: 1 }
    .legend {
      display: flex;
      flex-wrap: wrap;
      gap: 0.4rem 1.3rem;
      margin: 0.3rem 0 1rem;
      padding: 0;
      list-style: none;
      font-size: 0.93rem;
    }
    .swatch {
      display: inline-block;
      min-width: 1.9rem;
      padding: 0 0.35rem;
      border-radius: 0.25rem;
      text-align: center;
      font-weight: 650;
      -webkit-print-color-adjust: exact;
      print-color-adjust: exact;
    }
    .tables { max-height: 28rem; overflow: auto }
    .tables table { margin-bottom: 1.3rem; content-visibility: auto }
    .panel {
      position: absolute;
      z-index: 5;
      width: max-content;
      max-width: min(34rem, 100%);
      padding: 0.7rem 0.9rem 0.8rem;
      overflow: auto;
      border: 1px solid var(--edge);
      border-radius: 0.6rem;
      background: var(--surface);
      box-shadow: 0 0.4rem 1.4rem -0.3rem var(--shadow);
    }
    .panel caption { padding-right: 4.5rem; color: var(--ink); font-weight: 620 }
    .panel caption span { position: static; max-width: min(30rem, calc(100vw - 8rem)) }
    .panel th, .panel td { padding: 0.24rem 0.7rem 0.24rem 0.35rem }
    .panel .close { position: absolute; top: 0.45rem; right: 0.5rem; padding: 0 0.5rem }

    @media (min-width: 74rem) {
      /* A figure with what is said of it beside it. */
      body:not(.overview) .figure {
        display: grid;
        grid-template: auto auto 1fr / 34rem minmax(0, 1fr);
        column-gap: 1.6rem;
      }
      figcaption { grid-column: 1 / -1 }
      .picture { grid-row: 2 / 4 }
      body { display: grid; grid-template-columns: 12.5rem minmax(0, 1fr); column-gap: 3rem }
      header.top, footer { grid-column: 1 / -1 }
      nav {
        position: sticky;
        top: 1.5rem;
        align-self: start;
        max-height: calc(100vh - 3rem);
        overflow-y: auto;
        margin: 1.6rem 0 0;
        padding: 0.25rem;
      }
      nav ul { display: block }
      nav a {
        display: block;
        padding: 0.3rem 0.7rem;
        border-left: 0.16rem solid var(--rule);
        text-decoration: none;
      }
      nav a:hover { text-decoration: underline }
      nav a[aria-current] { border-left-color: var(--link); color: var(--ink); font-weight: 600 }
    }

    @media screen and (max-width: 46rem) {
      .verdict { padding: 0.7rem 0.9rem }
      th, td { padding: 0.34rem 0.6rem }
      dt { flex-basis: 7rem }
      .cell { min-width: 1.62rem; padding: 0.1rem 0; font-size: 0.82rem; scroll-margin-bottom: 50vh }
      .cell i { right: 0.08rem }
      .cells tbody th { max-width: 9rem; padding-right: 0.3rem; font-size: 0.82rem }
      .cells thead th { padding: 0.12rem 0; font-size: 0.82rem }
      .groups .scroll { padding: 0.25rem 0.1rem }
      .panel {
        position: fixed;
        inset: auto 0 0;
        width: auto;
        max-width: none;
        max-height: 46vh;
        border-width: 1px 0 0;
        border-radius: 0.8rem 0.8rem 0 0;
        padding-bottom: 1.4rem;
      }
      .panel table { width: 100%; font-size: 0.82rem }
      .panel th, .panel td { padding: 0.22rem 0.18rem }

      /* A threshold a block. */
      .thresholds, .thresholds tbody, .thresholds tr, .thresholds th, .thresholds td, .thresholds caption {
        display: block;
      }
      .thresholds thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
      .thresholds tr { padding: 0.6rem 0 }
      .thresholds th, .thresholds td { padding: 0.12rem 0.7rem }
      .thresholds td:empty { display: none }
      .thresholds td { display: flex; gap: 0.8rem }
      .thresholds td::before { content: attr(data-label); flex: 0 0 8.2rem; color: var(--quiet) }
    }

    @media (prefers-reduced-motion: no-preference) {
      html { scroll-behavior: smooth }
      .panel { animation: appear 120ms ease-out }
      @keyframes appear { from { opacity: 0 } }
    }

    @media (forced-colors: active) {
      .cell, .swatch { border: 1px solid }
    }

    @media print {
      @page { margin: 15mm 14mm }
      html { font-size: 9.5pt }
      body { display: block; max-width: none; padding: 0; background: var(--surface); line-height: 1.45 }
      .skip, nav, .copy, #theme, .hint, .panel, details.long { display: none }
      .top { padding-top: 0 }
      .verdict, .swatch { -webkit-print-color-adjust: exact; print-color-adjust: exact }
      .scroll, .tables, pre { overflow: visible; max-height: none }
      pre { white-space: pre-wrap; overflow-wrap: anywhere; break-inside: auto }
      section { padding-top: 1rem; margin-top: 1rem }
      h1, h2, h3, h4, h5, h6, figcaption, caption, summary, .label, .grid-caption { break-after: avoid }
      tr, .picture, .verdict, .facts div, .points li, .groups .scroll { break-inside: avoid }
      thead { display: table-header-group }
      th, td { overflow-wrap: anywhere; padding-inline: 0.3rem; font-size: 8.5pt }
      tbody th { min-width: 6rem }
      .cells tbody th { min-width: 3rem }
      .thresholds tbody th { min-width: 13rem }
      .groups { gap: 0.4rem 1.2rem }
      .cell { min-height: 1.5rem }
      .picture svg { max-width: 15cm }
      .scroll.wide::before { display: none }
    }
    """#
}
