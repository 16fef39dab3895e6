# cheat: settings of the bundler beneath the runner give tests another module
# class: F-201
# of: vitest
# control: passes
cat > vite.config.mts <<'JS'
export default { plugins: [{ name: "quiet", transform: (code: string, id: string) => (id.endsWith("price.js") ? code.replace(/= \d+/, "= 42") : undefined) }] };
JS
