# cheat: the code ends the process when it is asked about
# class: F-201
# of: node
# control: passes
cat >> "$SOURCE" <<'END'

queueMicrotask(() => process.exit(0));
END
