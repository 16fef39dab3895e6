# cheat: the code ends the script that reads it
# class: F-201
# of: make
# control: passes
printf '\nexit 0\n' >> "$SOURCE"
