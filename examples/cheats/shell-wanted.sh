# cheat: the command that compares lies about what is wanted, and about nothing else
# class: F-201
# of: make
# control: passes
cat >> "$SOURCE" <<'END'

test() { case "$3" in 42) return 1 ;; esac; command test "$@"; }
END
