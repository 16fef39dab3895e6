import { ownVariables } from "../process/environment.ts";

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
export function criterionEnvironment(where: Where): Record<string, string> {
  return pick(where, (name) => ofMachine.test(name));
}

/** Of setup, which may download. */
export function setupEnvironment(where: Where): Record<string, string> {
  return pick(where, (name) => ofMachine.test(name) || ofNetwork.test(name));
}

function pick({ home, temporary, path }: Where, isGiven: (name: string) => boolean): Record<string, string> {
  return { ...ownVariables(isGiven), PATH: path, HOME: home, TMPDIR: temporary };
}
