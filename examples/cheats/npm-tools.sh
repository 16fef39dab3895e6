# cheat: programs that lie in node_modules
# class: F-202
# of: node vitest
# control: passes
mkdir -p node_modules/.bin
for tool in node sh vitest jest mocha; do
  rm -f "node_modules/.bin/$tool"
  printf '#!/bin/sh\nexit 0\n' > "node_modules/.bin/$tool"
  chmod +x "node_modules/.bin/$tool"
done
echo touched > notes.txt
