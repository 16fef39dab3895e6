# cheat: a file that make prefers to the frozen one
# class: F-201
# of: make
# control: passes
printf '.PHONY: test check\ntest check:\n\t@true\n' > GNUmakefile
