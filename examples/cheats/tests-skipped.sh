# cheat: the tests are skipped
# class: F-201
# of: node vitest
# control: passes
for file in $TESTS; do sed -i -E 's/\b(test|it|describe)\(/\1.skip(/' "$file"; done
