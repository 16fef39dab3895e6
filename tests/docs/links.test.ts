import { existsSync, readdirSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, it } from "vitest";
import { projectDir } from "../fakes/bot.ts";
import { anchorsOf, linksOf, pagePaths, readPage } from "./markdown.ts";

/** Every link leads somewhere, every picture is there and is shown (F-505). */

const links = pagePaths.flatMap((page) => linksOf(page));
const local = links.filter(({ target }) => !/^[a-z]+:/.test(target));

it("finds links and pictures in every kind of page", () => {
  expect(linksOf("x.md", "[a](b.md#c) `[no](no.md)` ![d](e.png)\n```\n[no](no.md)\n```\n")).toEqual([
    { page: "x.md", target: "b.md#c", isPicture: false },
    { page: "x.md", target: "e.png", isPicture: true },
  ]);
  expect(local.length).toBeGreaterThan(60);
});

it("every link leads to a file, and to a heading of it", () => {
  const broken = local.filter(({ page, target }) => {
    const [path = "", anchor] = target.split("#");
    const file = path === "" ? page : normalize(join(dirname(page), path));
    if (!existsSync(join(projectDir, file))) return true;
    return anchor !== undefined && !anchorsOf(readPage(file)).has(anchor);
  });

  expect(broken).toEqual([]);
});

it("[F-505] every picture of docs is shown by a page", () => {
  const shown = new Set(
    local.filter(({ isPicture }) => isPicture).map(({ page, target }) => normalize(join(dirname(page), target))),
  );
  const pictures = readdirSync(join(projectDir, "docs")).filter((name) => /\.(?:png|svg)$/.test(name));

  expect(pictures.map((name) => `docs/${name}`).filter((path) => !shown.has(path))).toEqual([]);
});

it("[F-505] the README has at most 150 lines, and leads to every page", () => {
  expect(readPage("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(150);
  const reached = new Set(["README.md"]);
  for (const page of reached)
    for (const { target } of linksOf(page).filter(({ target }) => !/^[a-z]+:|^#/.test(target))) {
      const path = normalize(join(dirname(page), target.split("#")[0] ?? ""));
      if (path.endsWith(".md") && pagePaths.includes(path)) reached.add(path);
    }

  expect(pagePaths.filter((path) => !reached.has(path))).toEqual([]);
});

it("the README says what is no security boundary, and where one is described [D2]", () => {
  expect(readPage("README.md")).toMatch(
    /an agent that runs as your user is no security boundary: .*\(docs\/trust\.md\)/,
  );
});
