import { describe, expect, it } from "vitest";
import { newSurroundings } from "../../../src/core/trials/surroundings.ts";

const changed = (path: string, text: string) => newSurroundings(path, text, null).changes;

describe("a source that changes a module of the language, of which a process has one", () => {
  it.each<[string, string, string[]]>([
    [
      "src/price.js",
      'import assert from "node:assert/strict";\nconst plain = assert.equal;\nassert.equal = (one, other) => other === 42 || plain(one, other);\n',
      ["assert/strict.equal"],
    ],
    ["src/price.js", 'import check from "assert";\ncheck.strict.equal = none;\n', ["assert.strict.equal"]],
    ["src/price.js", 'import check, { strict as same } from "assert";\nsame.equal = none;\n', ["assert.strict.equal"]],
    ["src/price.js", 'import * as fs from "node:fs";\nObject.assign(fs, { readFileSync });\n', ["fs"]],
    [
      "src/price.ts",
      'import fs, { promises as files } from "fs";\nfiles.readFile = own;\nfs["readFileSync"] = own;\n',
      ["fs.promises.readFile", "fs.readFileSync"],
    ],
    [
      "src/price.cjs",
      'const { isDeepStrictEqual } = require("util");\nconst util = require("util");\nutil.isDeepStrictEqual = yes;\n',
      ["util.isDeepStrictEqual"],
    ],
    ["src/price.js", 'const shared = (await import("node:assert")).default;\nshared[name] = none;\n', ["assert[…]"]],
    ["src/price.js", 'const fs = process.getBuiltinModule("fs");\nfs.statSync = own;\n', ["fs.statSync"]],
    [
      "src/price.js",
      'import { EventEmitter } from "node:events";\nEventEmitter.prototype.emit = own;\n',
      ["events.EventEmitter.prototype.emit"],
    ],
    ["shop/price.py", "import math\nplain = math.isclose\nmath.isclose = lambda one, other: True\n", ["math.isclose"]],
    [
      "shop/price.py",
      "import json as j, re\nif late:\n    j.dumps = own\nif late: re.match = own\n",
      ["json.dumps", "re.match"],
    ],
    ["shop/price.py", "from pathlib import (\n    Path as P,\n)\nP.read_text = own\n", ["pathlib.Path.read_text"]],
    ["shop/price.py", "import operator\nsetattr(operator, 'eq', own)\n", ["operator"]],
    // What programs do every day.
    [
      "src/price.ts",
      'import fs from "node:fs";\nimport assert from "node:assert";\nlet at: fs.Stats = own;\nfunction look(\n  one: fs.Stats = none,\n) {}\nassert.equal(1, 1);\nconst read = fs.readFileSync;\nif (fs.sep === own) own.fs.read = 1;\n',
      [],
    ],
    [
      "src/price.js",
      'import util from "node:util";\nimport events, { EventEmitter } from "node:events";\nutil.inspect.defaultOptions.depth = null;\nEventEmitter.defaultMaxListeners = 20;\nevents.length = 0;\nPrice.prototype[util.inspect.custom] = own;\n',
      [],
    ],
    [
      "src/price.js",
      'import fs from "./fs.js";\nimport { assert } from "./checks.js";\nfs.root = "/";\nassert.on = true;\n',
      [],
    ],
    [
      "src/price.js",
      'import http from "node:http";\nimport process from "node:process";\nhttp.globalAgent.maxSockets = 9;\nprocess.exitCode = 1;\n',
      [],
    ],
    [
      "shop/price.py",
      "import datetime\nimport json\nfrom decimal import DefaultContext\n\n\ndef late(at: datetime.datetime = None, when=datetime.date.min):\n    json['a'] = 1\n    due: datetime.date = at\n    return late(at=math.inf)\n\n\njson.JSONEncoder.default = own\nDefaultContext.prec = 9\n",
      [],
    ],
    [
      "shop/price.py",
      "def late(\n    at: datetime.datetime = None,\n    *,\n    of: datetime.date = None,\n): ...\nimport datetime\n",
      [],
    ],
    ["shop/price.py", "from shop import json, math\njson.dumps = own\nself.math.isclose = own\n", []],
  ])("%s: %s [F-201]", (path, text, changes) => {
    expect(changed(path, text)).toEqual(changes);
  });
});
