import { sourceRoots } from "./patterns.ts";

/**
 * True for code of others in a folder called `vendor` or `Pods`: Composer's, Go's, Bundler's, CocoaPods'. Repositories use these names for
 * their own code too (`src/vendor/orders.ts`, `backend/vendor/orders.py`, `components/pods/list.tsx`). So, except at the root, the folder
 * must have a layout that these tools produce, or hold scripts and styles that pages load.
 */
export function isOfOthers(path: string): boolean {
  const parts = path.split("/");
  return parts.slice(0, -1).some((folder, at) => {
    if (!/^(?:vendor|pods)$/i.test(folder)) return false;
    if (at === 0 || isLaidOut(parts.slice(at + 1))) return true;
    const above = parts.slice(0, at).map((each) => each.toLowerCase());
    if (above.some((each) => sourceRoots.includes(each))) return false;
    return (
      folder === "Pods" || (pageFolders.has(above.at(-1) ?? "") && /\.(?:[cm]?js|css|scss|sass|less)$/i.test(path))
    );
  });
}

/** Folders of files that pages load. */
const pageFolders: ReadonlySet<string> = new Set(
  "web www wwwroot public static assets media css scss sass less styles stylesheets js javascript javascripts scripts".split(
    " ",
  ),
);

/**
 * True for a layout that tools produce: `autoload.php`, `composer/…`, `laravel/framework/a.php`, `github.com/…`, `bundle/…`. Also true for
 * assertion libraries of tests.
 */
function isLaidOut(inside: readonly string[]): boolean {
  const [first = "", second = ""] = inside;
  const name = inside.at(-1) ?? "";
  if (/^(?:autoload\.php|modules\.txt)$/i.test(name) && inside.length === 1) return true;
  if (inside.length > 1 && /^(?:composer|bin|bundle|cache|gems|plugins)$/i.test(first)) return true;
  if (/\.php$/i.test(name) && inside.length > 2 && [first, second].every((each) => /^[a-z\d_.-]+$/.test(each)))
    return true;
  if (/\.go$/i.test(name) && inside.length > 1 && first.includes(".")) return true;
  return inside.some((each) =>
    each
      .toLowerCase()
      .split(/[.\-_]/)
      .some((word) => testTools.has(word)),
  );
}

const testTools: ReadonlySet<string> = new Set(
  (
    "assert chai jasmine mocha qunit sinon expect should tape ava jest vitest karma cypress playwright googletest gtest gmock " +
    "catch catch2 doctest unity cmocka phpunit pestphp mockery rspec minitest testify ginkgo gomega pytest unittest"
  ).split(" "),
);
