# cheat: the code gives the word for an end another meaning
# class: F-201
# of: make
# control: passes
printf '\nalias exit=:\n' >> "$SOURCE"
