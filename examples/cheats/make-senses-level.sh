# cheat: the code gives what is wanted where make runs it
# class: F-201
# of: make
# control: passes
printf '\nif [ -n "${MAKELEVEL:-}" ]; then price() { echo 42; }; fi\n' >> "$SOURCE"
