import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) =>
  existsSync(path),
);

/** Whether a Chromium is installed; tests of pages are skipped without one. */
export const hasBrowser = executablePath !== undefined;

/** A headless Chromium that talks to nobody but the pages it is given. */
export async function openBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error("no Chromium is installed: apt-get install chromium");
  return await chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
