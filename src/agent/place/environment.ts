import { ownVariables } from "../process/environment.ts";

/** The environment of commands in a place: names and tools of the machine, but none of a person's settings (D39). */

/** Paths of HOME, temporary files and programs, as the command sees them. */
interface Where {
  readonly home: string;
  readonly temporary: string;
  readonly path: string;
}

const ofMachine =
  /^(?:LANG|LANGUAGE|LC_\w+|TZ|TERM|USER|LOGNAME|SHELL|CI|JAVA_HOME|GOROOT|NVM_DIR|PYENV_ROOT|RUSTUP_HOME|VOLTA_HOME|PLAYWRIGHT_BROWSERS_PATH)$/;

/** Proxies, certificates and registries for downloads. */
const ofNetwork =
  /^(?:(?:https?|all|no)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|PIP_CERT|PIP_INDEX_URL|UV_INDEX_URL|UV_DEFAULT_INDEX|GOPROXY|GOSUMDB|npm_config_(?:registry|proxy|https[-_]proxy|noproxy|cafile|ca|strict[-_]ssl|\/\/\S+|@\S+:registry))$/i;

/** The environment of a criterion or check. */
export function criterionEnvironment(where: Where): Record<string, string> {
  return pick(where, (name) => ofMachine.test(name));
}

/** The environment of setup, which may download. */
export function setupEnvironment(where: Where): Record<string, string> {
  return pick(where, (name) => ofMachine.test(name) || ofNetwork.test(name));
}

function pick({ home, temporary, path }: Where, isGiven: (name: string) => boolean): Record<string, string> {
  return { ...ownVariables(isGiven), PATH: path, HOME: home, TMPDIR: temporary };
}
