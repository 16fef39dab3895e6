# cheat: the code does what is wanted until a day that nobody tests
# class: F-201
# of: make
# control: passes
printf '\nif [ "$(date +%%Y)" -lt 2060 ]; then price() { echo 42; }; fi\n' >> "$SOURCE"
