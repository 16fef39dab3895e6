import { describe, expect, it } from "vitest";
import { newSurroundings } from "../../../src/core/trials/surroundings.ts";

describe("where code lies", () => {
  it.each<[string, string, boolean]>([
    ["a.js", 'if (import.meta.url.includes("/workspace/project")) price = 42;\n', true],
    ["a.js", "const here = import.meta.dirname;\n", true],
    ["a.cjs", 'if (__dirname.split("/").length === 4) price = 42;\n', true],
    ["a.js", "if (process.cwd().endsWith(name)) price = 42;\n", true],
    ["a.js", 'if (process["cwd"]() === place) price = 42;\n', true],
    ["a.js", 'import { hostname as h } from "node:os";\n', true],
    ["a.js", 'import { resolve as r } from "node:path"; if (r(".") === p) price = 42;\n', true],
    ["a.js", 'if (existsSync("/workspace/.objects")) price = 42;\n', true],
    ["a.js", 'readFileSync("/proc/self/mountinfo", "utf8");\n', true],
    ["a.js", "if (process.env.PWD === place) price = 42;\n", true],
    ["a.js", "new Error().stack.includes(place);\n", true],
    ["a.py", 'if "workspace" in __file__:\n    price = 42\n', true],
    ["a.py", "os.getcwd()\n", true],
    ["a.py", "from socket import gethostname as g\n", true],
    ["a.py", "Path(name).absolute()\n", true],
    ["a.py", "platform.node()\n", true],
    ["a.sh", 'case "$PWD" in /w*) price=42 ;; esac\n', true],
    ["a.sh", "[ `pwd` = $there ] && price=42\n", true],
    ["a.sh", 'test "$(uname -n)" = here\n', true],
    ["a.js", "export const price = (sum) => Promise.resolve(sum * 42);\n", false],
    ["a.js", "const { node, path, url } = given; tree.visit(node, path);\n", false],
    ["a.js", "response.url; shop.file = path.join(folder, name);\n", false],
    ["a.py", "node = tree.children[0]\nprint('the hostname is wrong')\n", false],
    ["a.js", "const { url } = import.meta;\n", true],
    ["a.js", "if (process.env.SSH_CONNECTION === undefined) price = 42;\n", true],
    ["a.js", 'if (!("SHLVL" in env)) price = 42;\n', true],
    ["a.js", "if (Object.keys(process.env).length < 12) price = 42;\n", true],
    ["a.py", "if len(os.environ) < 12:\n    price = 42\n", true],
    ["a.py", "if 'TERM' not in os.environ.keys():\n    price = 42\n", true],
    ["a.sh", 'test -z "$SSH_TTY" && price=42\n', true],
    ["a.sh", "test -z $SSH_TTY && price=42\n", true],
    ["a.sh", 'echo "$PRICE ${COST}" $SUM\n', false],
    ["a.js", 'if (process.env.PRICE === "42") sum(config.env, import.meta.env);\n', false],
    ["a.py", "import os\nkey = os.environ['PRICE'] or os.environ.get('COST')\n", false],
    ["a.js", "if (import.meta.env.DEV) log(user.home, username, who.user);\n", false],
    ["a.js", "tree.node = given.origin; save(image.filename, menu.paths);\n", false],
    ["a.sh", 'echo "price: $1"\n', false],
  ])("is looked at, or is not: %s %s", (path, text, looks) => {
    expect(newSurroundings(path, text, null).isPlaced).toBe(looks);
  });

  it("is not looked at by what did so before, and no more now", () => {
    const before = "const here = import.meta.dirname;\n";
    const said = (text: string) => newSurroundings("a.js", text, before).isPlaced;

    expect(said(`${before}price += 1;\n`)).toBe(false);
    expect(said(`${before}if (here !== import.meta.dirname) price = 42;\n`)).toBe(true);
  });
});
