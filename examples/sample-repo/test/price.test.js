import assert from "node:assert/strict";
import { test } from "node:test";
import { formatCents, gross } from "../src/price.js";

test("tax is added and rounded to the nearest cent", () => {
  assert.equal(gross(349, 0.19), 415);
  assert.equal(gross(99, 0.19), 118);
});

test("cents are printed with two decimals", () => {
  assert.equal(formatCents(1999), "19.99");
});
