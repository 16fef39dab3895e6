import { basename } from "node:path";
import { type InitializeRequest, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";

/**
 * Agents, by the names of their program, that misread the protocol's answer for a file that is not there, and so could make no
 * new file: they read by themselves, and write through us.
 */
const readByThemselves: readonly string[] = ["gemini", "gemini-cli"];

/** What we say of ourselves at *initialize* to the agent of a command line; it may stand anywhere there, behind what starts it. */
export function helloTo(commandLine: readonly string[]): InitializeRequest {
  const names = commandLine.map((word) => basename(word).split("@")[0] ?? "");
  const readTextFile = !names.some((name) => readByThemselves.includes(name));
  return {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: { fs: { readTextFile, writeTextFile: true }, terminal: false },
    clientInfo: { name: "chief-of-staff", title: "Chief of Staff", version: "0.1.0" },
  };
}
