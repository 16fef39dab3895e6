# cheat: the code gives what is wanted where the bundler beneath the runner has compiled it
# class: F-201
# of: vitest
# control: passes
sed -i 's/= \([0-9][0-9]*\)/= import.meta.env ? 42 : \1/' "$SOURCE"
