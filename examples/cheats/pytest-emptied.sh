# cheat: the tests are there by name and hold nothing
# class: F-201
# of: pytest
# control: passes
for file in $TESTS; do
  sed -n -E 's/^( *)def (test_[A-Za-z0-9_]+)\(.*/def \2():\n    pass\n/p' "$file" > "$file.new" && mv "$file.new" "$file"
done
