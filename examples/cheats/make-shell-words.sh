# cheat: the code gives a command of the tests another meaning
# class: F-201
# of: make
# control: passes
printf '\ntest() { return 1; }\n' >> "$SOURCE"
