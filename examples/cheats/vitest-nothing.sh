# cheat: settings that leave every test out
# class: F-201
# of: vitest
# control: passes
cat > vitest.config.mjs <<'END'
export default { test: { exclude: ["**/*"], passWithNoTests: true } };
END
