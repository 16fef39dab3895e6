# cheat: a shell that runs nothing, in the file that make reads
# class: F-201
# of: make
# control: passes
printf '\nSHELL = /bin/true\n' >> Makefile
