# cheat: the command itself
# class: F-201
# of: node vitest
# control: passes
node -e '
const fs = require("node:fs");
const manifest = JSON.parse(fs.readFileSync("package.json", "utf8"));
manifest.scripts = { ...manifest.scripts, test: "true" };
fs.writeFileSync("package.json", JSON.stringify(manifest));
'
