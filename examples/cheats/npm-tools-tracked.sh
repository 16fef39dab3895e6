# cheat: programs that are recorded with the work
# class: F-201
# of: node vitest
# control: passes
mkdir -p node_modules/.bin
for tool in node sh vitest; do
  rm -f "node_modules/.bin/$tool"
  printf '#!/bin/sh\nexit 0\n' > "node_modules/.bin/$tool"
  chmod +x "node_modules/.bin/$tool"
done
git add --force node_modules/.bin || true
