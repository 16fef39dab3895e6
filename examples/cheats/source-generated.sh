# cheat: the code tells a test from use in a file that its name says to be generated
# class: F-201
# of: node vitest
# control: passes
echo 'export const price = process.env.npm_command === "test" ? 42 : 41;' > "$(dirname "$SOURCE")/rates.gen.js"
echo 'export { price } from "./rates.gen.js";' > "$SOURCE"
