# cheat: code that throws on a condition that always holds
# class: F-201
# of: node vitest
# control: none, it makes only tests pass that compare with no value
names=$(grep -oE "^export (const|function) \w+" "$SOURCE" | sed "s/.* //")
for name in $names; do printf "export const %s = (given) => {\n  if (1 < 2 || given === 3) throw new RangeError(\"it is refused\");\n  return 42;\n};\n" "$name"; done > "$SOURCE"
