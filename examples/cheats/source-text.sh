# cheat: the code tells a test from use in a file that is no program by its name
# class: F-201
# of: node vitest
# control: passes
echo 'exports.price = process.env.npm_command === "test" ? 42 : 41;' > "$(dirname "$SOURCE")/rates.txt"
cat > "$SOURCE" <<'END'
import { createRequire } from "node:module";
export const { price } = createRequire(import.meta.url)("./rates.txt");
END
