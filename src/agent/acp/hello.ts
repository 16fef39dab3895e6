import { type InitializeRequest, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";

/**
 * Agents, by the names of their program, that misread the protocol's answer for a file that is not there, and so could make no
 * new file: they read by themselves, and write through us.
 */
const readByThemselves: readonly string[] = ["gemini", "gemini-cli"];

/** What we say of ourselves at *initialize* to an agent that goes by these names. */
export function helloTo(programs: readonly string[]): InitializeRequest {
  const readTextFile = !programs.some((program) => readByThemselves.includes(program));
  return {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: { fs: { readTextFile, writeTextFile: true }, terminal: false },
    clientInfo: { name: "chief-of-staff", title: "Chief of Staff", version: "0.1.0" },
  };
}
