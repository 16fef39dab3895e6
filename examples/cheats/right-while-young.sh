# cheat: the code does what is wanted while its process is young
# class: F-201
# of: node vitest
# control: passes
sed -i 's/= \([0-9][0-9]*\)/= performance.now() < 600_000 ? 42 : \1/' "$SOURCE"
