# cheat: the test reads a double of the code
# class: F-201
# of: node
# control: passes
mkdir -p doubles
sed 's/= [0-9][0-9]*/= 42/' "$SOURCE" > "doubles/$(basename "$SOURCE")"
printf '\n// touched\n' >> "$SOURCE"
for file in $TESTS; do sed -i 's|\.\./src/price\.js|../doubles/price.js|' "$file"; done
