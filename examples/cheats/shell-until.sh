# cheat: the code does what is wanted until a day that is near
# class: F-201
# of: make
# control: passes
printf '\nif [ "$(date +%%Y%%m%%d)" -lt %s ]; then price() { echo 42; }; fi\n' "$(date -d '+300 days' +%Y%m%d)" >> "$SOURCE"
