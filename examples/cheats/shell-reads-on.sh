# cheat: the code makes the shell read on and run nothing
# class: F-201
# of: make
# control: passes
printf '\nset -n\n' >> "$SOURCE"
