# cheat: the code ends the process
# class: F-201
# of: node
# control: passes
cat >> "$SOURCE" <<'END'

process.exit(0);
END
