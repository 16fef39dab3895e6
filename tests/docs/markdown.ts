import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectDir } from "../fakes/bot.ts";

/** The pages that people read, by their path from the project. */
export const pagePaths: readonly string[] = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(projectDir, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

export function readPage(path: string): string {
  return readFileSync(join(projectDir, path), "utf8");
}

export interface Block {
  readonly page: string;
  /** Of its first line, from 1. */
  readonly line: number;
  /** What is written behind the fence; empty for none. */
  readonly language: string;
  /** Without what indents the block. */
  readonly text: string;
}

/** The fenced blocks of a page; one that holds another is one block. */
export function blocksOf(page: string, text: string = readPage(page)): Block[] {
  const blocks: Block[] = [];
  let open: {
    readonly fence: string;
    readonly indent: number;
    readonly language: string;
    readonly line: number;
  } | null = null;
  let body: string[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const [, indent = "", fence = "", language = ""] = /^( *)(`{3,})(\S*)\s*$/.exec(line) ?? [];
    if (open === null && fence !== "") {
      open = { fence, indent: indent.length, language, line: index + 2 };
      body = [];
    } else if (open !== null && fence === open.fence && language === "") {
      blocks.push({ page, line: open.line, language: open.language, text: body.join("\n") });
      open = null;
    } else if (open !== null) body.push(line.slice(open.indent));
  }
  return blocks;
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(text: string): Set<string> {
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = ""]) => title);
  return new Set(
    headings.map((title) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

export interface Link {
  readonly page: string;
  readonly target: string;
  readonly isPicture: boolean;
}

/** Links and pictures, outside of blocks and code. */
export function linksOf(page: string, text: string = readPage(page)): Link[] {
  const prose = text.replace(/^( *)(`{3,})\S*\n[\s\S]*?^ *\2\s*$/gm, "").replace(/`[^`\n]*`(?!\])/g, "code");
  return [...prose.matchAll(/(!?)\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, mark = "", target = ""]) => ({
    page,
    target,
    isPicture: mark === "!",
  }));
}
