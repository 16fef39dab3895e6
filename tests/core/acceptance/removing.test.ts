import { expect, it } from "vitest";
import { asksToRemove } from "../../../src/core/acceptance/removing.ts";

it.each<[string, string, boolean]>([
  ["Remove the legacy exporter and its tests", "legacyExporter", true],
  ["Remove the legacy exporter and its tests", "legacy_export", true],
  ["Remove the legacy exporter and its tests", "exporter", false],
  ["Remove the legacy exporter and its tests", "price", false],
  ["Remove the legacy exporter and its tests", "csvExporter", false],
  ["Remove the legacy price", "LegacyPrice", true],
  ["Remove the legacy price", "price", false],
  ["Remove the legacy price and the old tax", "oldPrice", false],
  ["Delete oldTax, nobody uses it, with its tests", "oldTax", true],
  ["Delete oldTax. It is not used", "oldTax", true],
  ["Drop support for XML", "xml", true],
  ["Remove trailing commas from the exporter", "exporter", false],
  ["Remove the price from the invoice", "price", false],
  ["Remove price only when the tax is 0", "price", false],
  ["Remove the banner and fix the exporter", "exporter", false],
  ["Remove the legacy exporter and format the code.", "format", false],
  ["Remove the cache and update price", "updatePrice", false],
  ["Remove the parser and the formatter", "formatter", true],
  ["Remove parse and the update helper", "updateHelper", true],
  ["Remove the tests of price", "price", false],
  ["Remove the price tests", "price", false],
  ["Fix the exporter", "exporter", false],
  ["The total is wrong when legacy is removed", "legacy", false],
  ["The legacy price is gone", "legacyPrice", false],
  ["Fix the job that removes legacy", "legacy", false],
  ["Fix the exporter. Do not remove any test of the exporter", "exporter", false],
  ["Remove the exporter, but keep its tests", "exporter", false],
  ["Remove the exporter. Its tests stay", "exporter", false],
  ["Remove the tests", "tests", false],
  ["Remove the form", "format", false],
  ["Remove the form", "forms", true],
  ["Drop the count", "country", false],
  ["Remove the rounding error", "RoundingError", false],
])("%s: the name %s %s", (goal, name, expected) => {
  expect(asksToRemove(goal)?.isName(name) ?? false).toBe(expected);
});

it.each<[string, string, boolean]>([
  ["Get rid of `src/v1.js`", "src/v1.js", true],
  ["Get rid of `src/v1.js`", "lib/v1.js", false],
  ["Get rid of `src/v1.js`", "src/v1.py", false],
  ["Get rid of `src/v1`", "src/v1.js", true],
  ["Remove tax.debug and its tests", "tax.js", false],
  ["Remove `src/tax.debug`", "src/tax.js", false],
  ["Remove the legacy exporter", "src/legacy/exporter.js", true],
  ["Remove the legacy exporter", "src/exporter.js", false],
  ["Remove the legacy folder", "src/legacy/exporter.js", false],
  ["Remove legacy", "src/legacy/exporter.js", true],
])("%s: the path %s %s", (goal, path, expected) => {
  expect(asksToRemove(goal)?.isPath(path) ?? false).toBe(expected);
});
