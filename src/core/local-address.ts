/**
 * Returns the URL origin at which this machine reaches a server that listens at a host and port. A wildcard address becomes loopback.
 * IPv6 addresses get brackets and lose their zone, which URLs do not allow.
 */
export function localOrigin({ host, port }: { readonly host: string; readonly port: number }): string {
  const loopback = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${loopback.includes(":") ? `[${loopback.split("%")[0]}]` : loopback}:${port}`;
}
