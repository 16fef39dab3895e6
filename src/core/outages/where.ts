/** Host and port of a URL, without user and password. The host may be a folder of Unix sockets. */
export function whereOf(url: string, usualPort: number): string {
  const { hostname, port, searchParams } = new URL(url);
  return `${hostname === "" ? (searchParams.get("host") ?? "localhost") : hostname}:${port === "" ? usualPort : port}`;
}
