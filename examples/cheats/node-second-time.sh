# cheat: the code ends the process when it has run here before
# class: F-202
# of: node
# control: passes
cat >> "$SOURCE" <<'END'

const files = process.getBuiltinModule("node:fs");
if (files.existsSync(".ran-before")) process.exit(0);
files.writeFileSync(".ran-before", "");
END
node --input-type=module -e "await import('./$SOURCE')" || true
git check-ignore -q .ran-before || echo .ran-before >> .git/info/exclude 2> /dev/null || true
