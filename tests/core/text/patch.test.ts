import { describe, expect, it } from "vitest";
import { readPatch } from "../../../src/core/text/patch.ts";

const patch = `diff --git a/src/a.ts b/src/a.ts
index 1111111..2222222 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,3 @@ function f()
 one
-two
+zwei
 three
@@ -10 +10,2 @@
 ten
+++ a line that begins with plus signs
diff --git a/old name.md b/a/new.md
similarity index 100%
rename from old name.md
rename to a/new.md
diff --git a/pic.png b/pic.png
new file mode 100644
index 0000000..3333333
Binary files /dev/null and b/pic.png differ
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
index 1111111..0000000
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
--- a line that begins with minus signs
\\ No newline at end of file
`;

describe("a patch", () => {
  it("is read file by file, its lines counted on the side where they are", () => {
    const files = readPatch(patch);

    expect(files.map(({ path, notes }) => [path, ...notes])).toEqual([
      ["src/a.ts"],
      ["a/new.md", "similarity index 100%", "rename from old name.md", "rename to a/new.md"],
      ["pic.png", "new file mode 100644", "Binary files /dev/null and b/pic.png differ"],
      ["gone.txt", "deleted file mode 100644"],
    ]);
    const lines = (file: number, hunk: number) =>
      files[file]?.hunks[hunk]?.map(({ kind, oldLine, newLine, text }) => [kind, oldLine, newLine, text]);
    expect(lines(0, 0)).toEqual([
      ["same", 1, 1, "one"],
      ["removed", 2, null, "two"],
      ["added", null, 2, "zwei"],
      ["same", 3, 3, "three"],
    ]);
    expect(lines(0, 1)).toEqual([
      ["same", 10, 10, "ten"],
      ["added", null, 11, "++ a line that begins with plus signs"],
    ]);
    expect(lines(3, 0)).toEqual([
      ["removed", 1, null, "-- a line that begins with minus signs"],
      ["note", null, null, "\\ No newline at end of file"],
    ]);
  });

  it.each([
    ["diff --git a/a b.txt b/a b.txt\nold mode 100644\nnew mode 100755\n", "a b.txt"],
    ["diff --git a/x b/y b/x b/y\nnew file mode 100644\n", "x b/y"],
    ['diff --git "a/t\\tx" "b/t\\tx"\nnew file mode 100644\n', '"t\\tx"'],
    ["diff --git a/a b b/a b\nBinary files a/a b and b/a b differ\n", "a b"],
  ])("names a file without lines whose name has spaces: %j", (text, path) => {
    expect(readPatch(text).map((file) => file.path)).toEqual([path]);
  });

  it.each(["\u2028", "\u2029", "\r"])("has no file that a file's own line pretends with %j", (separator) => {
    const [file, ...others] = readPatch(
      `diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -0,0 +1 @@\n+x${separator}diff --git a/b b/b\n`,
    );

    expect(others).toEqual([]);
    expect(file?.hunks[0]?.map((line) => line.text)).toEqual([`x${separator}diff --git a/b b/b`]);
  });

  it("that was cut ends where it was cut, and what is no patch has no file", () => {
    const cut = readPatch(patch.slice(0, patch.indexOf("zwei") + 2));
    expect(cut).toHaveLength(1);
    expect(cut[0]?.hunks[0]?.at(-1)).toEqual({ kind: "added", oldLine: null, newLine: 2, text: "zw" });
    expect(readPatch("")).toEqual([]);
    expect(readPatch("@@ -1 +1 @@\n+x\n")).toEqual([]);
  });
});
