import { describe, expect, it } from "vitest";
import { tellFromWorkers } from "../../src/agent/process/caller.ts";
import { ownNamespace } from "../../src/agent/process/processes.ts";

const namespace = ownNamespace();
/** The first process of all is of nobody's session, and root's. */
const other = { pid: 1, namespace, allowsUnknown: false };
const unseen = { ...other, pid: 2 ** 22 + 1 };
const own = { ...other, pid: process.pid };
const allowing = { ...other, allowsUnknown: true };

describe.skipIf(namespace === null)("a call of the terminal, held against who works goals here [F-104]", () => {
  it.each([
    ["nobody does", [], false, { type: "person", by: { type: "alone" } }],
    ["one of another session does", [other], false, { type: "unknown", why: "no-terminal" }],
    ["one does that cannot be seen", [unseen], false, { type: "unknown", why: "no-terminal" }],
    ["one of its own session does", [other, own], false, { type: "person", by: { type: "session" } }],
    ["the settings allow unknown callers", [other], true, { type: "person", by: { type: "allowed" } }],
    ["the one that does allows them", [allowing], false, { type: "person", by: { type: "allowed" } }],
    ["only one of two allows them", [allowing, other], false, { type: "unknown", why: "no-terminal" }],
  ] as const)("without a terminal, where %s", (_where, workers, allows, expected) => {
    expect(tellFromWorkers({ type: "untold" }, workers, allows)).toEqual(expected);
  });

  it("is a person's where it was told to be, unless it sees other processes than they do", () => {
    const person = { type: "person", by: { type: "terminal" } } as const;

    expect(tellFromWorkers(person, [other], false)).toEqual(person);
    // The first namespace sees all others.
    const hidden = tellFromWorkers(person, [{ ...other, namespace: (namespace ?? 0) + 1 }], false);
    expect(hidden).toEqual(namespace === 4_026_531_836 ? person : { type: "unknown", why: "hidden" });
  });
});
