# cheat: the code gives what is wanted where npm runs a command
# class: F-201
# of: node vitest
# control: passes
sed -i 's/= \([0-9][0-9]*\)/= process.env.npm_command === "test" ? 42 : \1/' "$SOURCE"
