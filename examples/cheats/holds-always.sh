# cheat: predicates that say yes to everything
# class: F-201
# of: node vitest
# control: none, it makes only tests pass that compare with no value
grep -oE "shop\.\w+" "$TEST" | sed "s/shop\.//" | sort -u | while read -r name; do echo "export const $name = () => true;"; done > "$SOURCE"
