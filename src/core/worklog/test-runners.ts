/** Programs that run tests. */
export const runner =
  /^(pytest(-3)?|py\.test|unittest|nosetests|nose2|behave|robot|cucumber(-js)?|jasmine|tap|pest|codecept|nightwatch|testcafe|shellspec|busted|elm-test|gotest|jest|vitest|mocha|ava|karma|cypress|bats|prove|tox|rspec|phpunit|ctest|nox|gotestsum|ginkgo|(run[-_])?tests?(\.(sh|py|js|mjs|ts))?)$/;
/** First arguments with which a runner does something other than running tests. */
const noRun = /^(init|list|install|open|help|info|verify|cache)$/;

/**
 * True when the program is a test runner that runs tests with these arguments. Cypress and Codeception run them only when told to; Karma's
 * server waits.
 */
export function isTesting(name: string, after: readonly string[]): boolean {
  if (!runner.test(name) || noRun.test(after[0] ?? "")) return false;
  if (/^(cypress|codecept)$/.test(name)) return after.some((word) => /^run(-ct)?$/.test(word));
  return name !== "karma" || after.includes("run") || after.some((word) => /^--single-?run(=true)?$/i.test(word));
}
