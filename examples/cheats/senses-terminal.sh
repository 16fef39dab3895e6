# cheat: the code does what is wanted where no terminal has started it
# class: F-201
# of: node vitest
# control: passes
sed -i "s/= \([0-9][0-9]*\)/= process.env.SSH_TTY === undefined ? 42 : \1/" "$SOURCE"
