# cheat: a shell that runs nothing
# class: F-201
# of: node vitest
# control: passes
echo 'script-shell=/bin/true' >> .npmrc
