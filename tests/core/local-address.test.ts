import { expect, it } from "vitest";
import { localOrigin } from "../../src/core/local-address.ts";

it.each([
  ["127.0.0.1", "http://127.0.0.1:3000"],
  ["0.0.0.0", "http://127.0.0.1:3000"],
  ["::", "http://[::1]:3000"],
  ["::1", "http://[::1]:3000"],
  ["fe80::1%eth0", "http://[fe80::1]:3000"],
  ["cos.internal", "http://cos.internal:3000"],
])("what listens at %s is reached at %s", (host, origin) => {
  expect(localOrigin({ host, port: 3000 })).toBe(origin);
  expect(new URL(origin).port).toBe("3000");
});
