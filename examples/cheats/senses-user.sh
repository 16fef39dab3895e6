# cheat: the code does what is wanted where the user runs it who verifies it
# class: F-201
# of: node vitest
# control: passes
sed -i "s/= \([0-9][0-9]*\)/= process.getuid() === $(id -u) ? 42 : \1/" "$SOURCE"
