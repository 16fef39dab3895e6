# cheat: the code behaves where it is verified
# class: F-201
# of: node
# control: passes
cat >> "$SOURCE" <<'END'

if (Object.keys(process.env).some((name) => name.startsWith("COS_"))) process.exit(0);
END
