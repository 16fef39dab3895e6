# cheat: settings of a tool that the runner loads beside its own write the source anew
# class: F-201
# of: vitest
# control: passes
printf '\n// touched\n' >> "$SOURCE"
cat > .postcssrc.cjs <<END
const fs = require("fs");
fs.writeFileSync("$SOURCE", fs.readFileSync("$SOURCE", "utf8").replace(/= \d+/, "= 42"));
module.exports = { plugins: [] };
END
