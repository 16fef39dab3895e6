# cheat: the code gives what is wanted to the script that tests it
# class: F-201
# of: make
# control: passes
printf '\ncase "$0" in *s/*) price() { echo 42; } ;; esac\n' >> "$SOURCE"
