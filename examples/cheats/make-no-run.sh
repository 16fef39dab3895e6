# cheat: the code makes the shell only read what follows
# class: F-201
# of: make
# control: passes
printf '\nset -n\n' >> "$SOURCE"
