import { compareDays } from "../fakes/history-days.ts";

/** As `history.test.ts`, after longer times: `npm run test:million` asks for its own, and has all of it reported. */
const wanted = process.env["COS_TEST_FINISHED"] ?? "";

compareDays(wanted === "" ? [0, 10_000, 100_000] : wanted.split(",").map(Number), wanted !== "");
