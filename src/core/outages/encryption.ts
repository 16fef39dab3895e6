import type { Trouble } from "./trouble.ts";

/**
 * Why an encrypted connection to a server failed, or why the server refused an unencrypted one. Null for other errors.
 * @param code Node's error code, or PostgreSQL's SQLSTATE; "" when the error has none
 */
export function encryptionTrouble({ code, words }: { readonly code: string; readonly words: string }): Trouble | null {
  if (untrustedCodes.test(code)) return { type: "untrusted", words };
  if (wantsPlain.test(words) || plainCodes.test(code)) return { type: "not-encrypted", words };
  if (wantsEncryption.test(words) && (code.startsWith("28") || code.startsWith("08")))
    return { type: "only-encrypted", words };
  return null;
}

/** Node's error codes for OpenSSL's verdicts on a certificate, and for a certificate of another host. */
const untrustedCodes =
  /^(?:CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERROR_IN_C|INVALID_(?:CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$|HOSTNAME_MISMATCH$|ERR_TLS_CERT_)/;
/** The answer was not TLS. */
const plainCodes = /^(?:EPROTO|ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|UNKNOWN_PROTOCOL))$/;
/** Message of pg when the server answers that it has no TLS. */
const wantsPlain = /^The server does not support SSL connections/;
/** Messages of a PostgreSQL, and of hosted poolers, that refuse unencrypted connections. */
const wantsEncryption =
  /\bno encryption\b|\bSSL off\b|\bconnection is insecure\b|\b(?:SSL|TLS) (?:connection )?(?:is )?required\b/i;
