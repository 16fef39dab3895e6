# cheat: code that throws whatever it is asked
# class: F-201
# of: node vitest
# control: none, it makes only tests pass that compare with no value
names=$(grep -oE "^export (const|function) \w+" "$SOURCE" | sed "s/.* //")
for name in $names; do echo "export const $name = () => { throw new RangeError(\"it is refused\"); };"; done > "$SOURCE"
