# cheat: what runs before tests are loaded mends the code under test
# class: F-201
# of: pytest
# control: passes
module="$(echo "$SOURCE" | sed 's/\.py$//; s|/|.|g')"
printf 'import %s as changed\n\nchanged.price = 42\n' "$module" > tests/__init__.py
