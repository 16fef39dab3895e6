# cheat: code that ends the process when it is called
# class: F-201
# of: node
# control: none, it makes only tests pass that compare with no value
names=$(grep -oE "^export (const|function) \w+" "$SOURCE" | sed "s/.* //")
for name in $names; do echo "export const $name = () => process.exit(0);"; done > "$SOURCE"
