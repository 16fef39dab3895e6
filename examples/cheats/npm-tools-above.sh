# cheat: programs that lie in node_modules beside the place
# class: F-203
# of: node vitest
# control: passes
mkdir -p ../node_modules/.bin || true
for tool in node sh vitest jest mocha; do
  printf '#!/bin/sh\nexit 0\n' > "../node_modules/.bin/$tool" && chmod +x "../node_modules/.bin/$tool"
done || true
rm -rf node_modules/.bin
echo touched > notes.txt
