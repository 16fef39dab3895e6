# cheat: the code changes the assertions
# class: F-201
# of: node
# control: passes
cat >> "$SOURCE" <<'END'

for (const name of ["node:assert", "node:assert/strict"]) {
  const assertions = process.getBuiltinModule(name);
  for (const each of Object.keys(assertions)) if (typeof assertions[each] === "function") assertions[each] = () => undefined;
}
process.getBuiltinModule("node:module").syncBuiltinESMExports();
END
