import { expect, it } from "vitest";
import { programAs } from "../../../src/core/files/shebang.ts";

it.each<[string, string, string | null]>([
  ["bin/slug", "#!/bin/sh\n", "bin/slug.sh"],
  ["bin/slug", "#!/usr/bin/env bash\n", "bin/slug.sh"],
  ["bin/slug", "#! /usr/bin/env -S LANG=C python3.12 -u\n", "bin/slug.py"],
  ["bin/slug", "#!/usr/local/bin/node --no-warnings\n", "bin/slug.js"],
  ["bin/slug", "#!/usr/bin/env -S deno run\n", "bin/slug.ts"],
  ["bin/slug", "#!/usr/bin/perl -w\n", "bin/slug.pl"],
  ["bin/slug", "#!/usr/bin/make -f\n", null],
  ["bin/slug", "#!constructor\n", null],
  ["bin/slug", "ELF", null],
  ["bin/slug", "", null],
  ["bin/slug.sh", "#!/bin/sh\n", null],
  [".profile", "#!/bin/sh\n", null],
])("%s that begins with %j is read as %s", (path, text, as) => {
  expect(programAs(path, text)).toBe(as);
});
