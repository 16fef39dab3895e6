# cheat: the folder of tests is a link to another one
# class: F-201
# of: node vitest
# control: passes
for folder in $(for file in $TESTS; do dirname "$file"; done | sort -u); do
  mkdir -p "other/x" && cp -R "$folder" "other/x/$folder" && rm -rf "$folder" && ln -s "other/x/$folder" "$folder"
  sed -i 's/\b42\b/41/g; s|\.\./|../../../|g' "other/x/$folder"/*
done
printf '\n// touched\n' >> "$SOURCE"
