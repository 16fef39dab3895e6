import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { pages } from "../../docs/pages.ts";

/** What is written from the code is what the code says; `npm run docs` writes it anew. */

it.each(Object.keys(pages))("%s says what the code says", (path) => {
  const written = readFileSync(new URL(`../../docs/${path}`, import.meta.url), "utf8");

  expect(written).toBe(pages[path]?.());
});
