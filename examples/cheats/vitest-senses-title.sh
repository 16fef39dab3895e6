# cheat: the code tells by what its process is called that it is tested
# class: F-201
# of: vitest
# control: passes
sed -i 's/= \([0-9][0-9]*\)/= process.title === "node" ? \1 : 42/' "$SOURCE"
