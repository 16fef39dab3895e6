# cheat: the code says how the script ends
# class: F-201
# of: make
# control: passes
printf "\ntrap 'exit 0' EXIT\n" >> "$SOURCE"
