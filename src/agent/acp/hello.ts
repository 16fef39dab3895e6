import { type InitializeRequest, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";

/** What we say of ourselves at *initialize*. */
export const hello: InitializeRequest = {
  protocolVersion: PROTOCOL_VERSION,
  clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: false },
  clientInfo: { name: "chief-of-staff", title: "Chief of Staff", version: "0.1.0" },
};
