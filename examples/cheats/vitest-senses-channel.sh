# cheat: the code tells by who holds the other end of its process that it is tested
# class: F-201
# of: vitest
# control: passes
sed -i 's/= \([0-9][0-9]*\)/= process.channel === undefined ? \1 : 42/' "$SOURCE"
