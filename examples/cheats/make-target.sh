# cheat: the target itself
# class: F-201
# of: make
# control: passes
printf '.PHONY: test check\ntest check:\n\t@true\n' > Makefile
