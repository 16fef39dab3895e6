# cheat: the code changes what is expected
# class: F-201
# of: vitest
# control: passes
cat >> "$SOURCE" <<'END'

const { chai } = await import("vitest");
for (const name of ["toBe", "toEqual", "toStrictEqual"]) {
  Object.defineProperty(chai.Assertion.prototype, name, { value: () => undefined, writable: true, configurable: true });
}
END
