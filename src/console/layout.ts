import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

export type PageName =
  | "channel"
  | "goals"
  | "campaigns"
  | "week"
  | "spend"
  | "preferences"
  | "health"
  | "access"
  | "none";

/** Draws a page: one heading, the navigation, the content. `current` marks the current page. */
export function page(title: string, current: PageName, content: Html): Html {
  const link = (to: string, name: string, is: boolean) =>
    html`<a href="${to}" ${is ? raw('aria-current="page"') : ""}>${name}</a>`;
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} · Chief of Staff</title>
    <link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%23245a4c'/%3E%3Cpath d='M4 8.5l2.5 2.5L12 5.5' fill='none' stroke='white' stroke-width='2'/%3E%3C/svg%3E">
    <link rel="stylesheet" href="/app.css">
    <script type="module" src="/app.js"></script>
    <script src="/keys.js" defer></script>
  </head>
  <body>
    <a class="skip" href="#main">To the content</a>
    <header class="top">
      <a class="name" href="/">Chief of Staff</a>
      <nav aria-label="Pages">${link("/", "Channel", current === "channel")}${link("/goals", "Goals", current === "goals")}${link("/campaigns", "Campaigns", current === "campaigns")}${link("/weekly", "Week", current === "week")}${link("/spend", "Spend", current === "spend")}${link("/preferences", "Preferences", current === "preferences")}${link("/health", "Health", current === "health")}${link("/access", "Access", current === "access")}</nav>
      <span id="live" class="live" role="status"></span>
    </header>
    <main id="main">${content}</main>
  </body>
</html>`;
}

/** Draws a page with one message. */
export function messagePage(title: string, words: string): Html {
  return page(title, "none", html`<section class="empty"><h1>${title}</h1><p>${words}</p></section>`);
}

/** Draws the page in place of an output that was overwritten: showing it would make it look like a command's output. */
export function changedPage(stored: string, found: string): Html {
  const words = `This output was changed after it was kept, and is not shown. Its sha256 was ${stored} and is ${found} now. Verify the goal again, and look at who may write to the data directory (cos doctor).`;
  return page("Changed after it was kept", "none", html`<div class="flash bad"><p>${words}</p></div>`);
}
