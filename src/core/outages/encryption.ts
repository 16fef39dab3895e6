import type { Trouble } from "./trouble.ts";

/**
 * What keeps two from talking encrypted, where one of them wants to; null for other errors.
 * @param code Node's own of the error, or PostgreSQL's SQLSTATE; "" where it has none
 */
export function encryptionTrouble({ code, words }: { readonly code: string; readonly words: string }): Trouble | null {
  if (untrustedCodes.test(code)) return { type: "untrusted", words };
  if (wantsPlain.test(words) || plainCodes.test(code)) return { type: "not-encrypted", words };
  if (wantsEncryption.test(words) && (code.startsWith("28") || code.startsWith("08")))
    return { type: "only-encrypted", words };
  return null;
}

/** OpenSSL's verdicts over a certificate, as Node names them, and Node's own over the name in it. */
const untrustedCodes =
  /^(?:CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERROR_IN_C|INVALID_(?:CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$|HOSTNAME_MISMATCH$|ERR_TLS_CERT_)/;
/** What answers is not TLS. */
const plainCodes = /^(?:EPROTO|ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|UNKNOWN_PROTOCOL))$/;
/** What pg says where the server answers that it has none. */
const wantsPlain = /^The server does not support SSL connections/;
/** What a PostgreSQL says that lets nobody in otherwise, and what the poolers of those who sell it do. */
const wantsEncryption =
  /\bno encryption\b|\bSSL off\b|\bconnection is insecure\b|\b(?:SSL|TLS) (?:connection )?(?:is )?required\b/i;
