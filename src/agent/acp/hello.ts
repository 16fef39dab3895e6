import { basename } from "node:path";
import { type InitializeRequest, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";

/**
 * Program names of agents that misread our answer for a missing file, and so could not create a new file. They read files themselves,
 * and write through us.
 */
const readByThemselves: readonly string[] = ["gemini", "gemini-cli"];

/** Our *initialize* request for the agent of a command line. The agent's name may stand anywhere in it, for example after `npx`. */
export function helloTo(commandLine: readonly string[]): InitializeRequest {
  const names = commandLine.map((word) => basename(word).split("@")[0] ?? "");
  const readTextFile = !names.some((name) => readByThemselves.includes(name));
  return {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: { fs: { readTextFile, writeTextFile: true }, terminal: false },
    clientInfo: { name: "chief-of-staff", title: "Chief of Staff", version: "0.1.0" },
  };
}
