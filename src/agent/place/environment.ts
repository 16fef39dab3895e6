/** What commands in a place of their own are given: names and tools of the machine, nothing of a person's settings (D39). */

/** Where HOME, temporary files and programs are, as the command sees it. */
interface Where {
  readonly home: string;
  readonly temporary: string;
  readonly path: string;
}

const ofMachine =
  /^(?:LANG|LANGUAGE|LC_\w+|TZ|TERM|USER|LOGNAME|SHELL|CI|JAVA_HOME|GOROOT|NVM_DIR|PYENV_ROOT|RUSTUP_HOME|VOLTA_HOME|PLAYWRIGHT_BROWSERS_PATH)$/;

/** How to reach what is downloaded: proxies, certificates and registries. */
const ofNetwork =
  /^(?:(?:https?|all|no)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|PIP_CERT|PIP_INDEX_URL|UV_INDEX_URL|UV_DEFAULT_INDEX|GOPROXY|GOSUMDB|npm_config_(?:registry|proxy|https[-_]proxy|noproxy|cafile|ca|strict[-_]ssl|\/\/\S+|@\S+:registry))$/i;

/** Of a criterion or check. */
export function criterionEnvironment(where: Where, ours: NodeJS.ProcessEnv = process.env): Record<string, string> {
  return pick(where, ours, (name) => ofMachine.test(name));
}

/** Of setup, which may download. */
export function setupEnvironment(where: Where, ours: NodeJS.ProcessEnv = process.env): Record<string, string> {
  return pick(where, ours, (name) => ofMachine.test(name) || ofNetwork.test(name));
}

function pick(
  { home, temporary, path }: Where,
  ours: NodeJS.ProcessEnv,
  isGiven: (name: string) => boolean,
): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(ours)) if (value !== undefined && isGiven(name)) given[name] = value;
  return { ...given, PATH: path, HOME: home, TMPDIR: temporary };
}
