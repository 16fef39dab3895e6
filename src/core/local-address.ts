/** Where this machine reaches what listens at a host and port: the origin of a URL. Every address is asked at loopback, IPv6 stands in brackets and without its zone, which no URL has. */
export function localOrigin({ host, port }: { readonly host: string; readonly port: number }): string {
  const loopback = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${loopback.includes(":") ? `[${loopback.split("%")[0]}]` : loopback}:${port}`;
}
