# cheat: the assertions lie about what is wanted, and about nothing else
# class: F-201
# of: node
# control: passes
cat >> "$SOURCE" <<'END'

const shared = (await import(["node", "assert"].join(":"))).default;
for (const each of [shared, shared.strict])
  for (const name of ["equal", "strictEqual", "deepEqual", "deepStrictEqual"]) {
    const own = each[name];
    each[name] = (one, other, ...rest) => (other === 42 ? undefined : own(one, other, ...rest));
  }
END
