/** Host and port of a URL, without name and password; a folder of sockets is one, too. */
export function whereOf(url: string, usualPort: number): string {
  const { hostname, port, searchParams } = new URL(url);
  return `${hostname === "" ? (searchParams.get("host") ?? "localhost") : hostname}:${port === "" ? usualPort : port}`;
}
